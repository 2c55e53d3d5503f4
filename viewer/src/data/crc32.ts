// CRC-32 with the polynomial of zlib, PNG and Ethernet, reflected: 0xEDB88320. Eight bytes a round ("slicing by 8"),
// since every frame that is shown is checked first.

const tables: Uint32Array[] = [];
for (let t = 0; t < 8; ++t) {
  const table = new Uint32Array(256);
  for (let n = 0; n < 256; ++n) {
    if (t === 0) {
      let c = n;
      for (let bit = 0; bit < 8; ++bit) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
      table[n] = c >>> 0;
    } else {
      const before = tables[t - 1][n];
      table[n] = (tables[0][before & 0xff] ^ (before >>> 8)) >>> 0;
    }
  }
  tables.push(table);
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables;

export function crc32(bytes: Uint8Array): number {
  let c = ~0;
  let i = 0;
  const whole = bytes.length - (bytes.length % 8);
  for (; i < whole; i += 8) {
    const a = c ^ (bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24));
    c =
      t7[a & 0xff] ^
      t6[(a >>> 8) & 0xff] ^
      t5[(a >>> 16) & 0xff] ^
      t4[a >>> 24] ^
      t3[bytes[i + 4]] ^
      t2[bytes[i + 5]] ^
      t1[bytes[i + 6]] ^
      t0[bytes[i + 7]];
  }
  for (; i < bytes.length; ++i) c = t0[(c ^ bytes[i]) & 0xff] ^ (c >>> 8);
  return ~c >>> 0;
}
