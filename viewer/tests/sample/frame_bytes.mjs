// Writes files of frames as docs/frames_file.md describes them.
import zlib from 'node:zlib';

const table = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; ++bit) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** The plain way, a byte at a time; zlib's where this version of Node has it. */
export function checksum(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes) >>> 0;
  let c = ~0;
  for (const byte of bytes) c = table[(c ^ byte) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

export function chunk(kind, payload) {
  const bytes = Buffer.from(payload.buffer ?? payload, payload.byteOffset, payload.byteLength);
  const head = Buffer.alloc(16);
  head.write(kind, 0, 'latin1');
  head.writeUInt32LE(checksum(bytes), 4);
  head.writeBigUInt64LE(BigInt(bytes.length), 8);
  return Buffer.concat([head, bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

export function fileHead() {
  const head = Buffer.alloc(16);
  head.write('RUBATOFR', 0, 'latin1');
  head.writeUInt32LE(1, 8);
  return head;
}

export function framePayload(time, step, values) {
  const head = Buffer.alloc(16);
  head.writeDoubleLE(time, 0);
  head.writeBigUInt64LE(BigInt(step), 8);
  return Buffer.concat([head, Buffer.from(values.buffer, values.byteOffset, values.byteLength)]);
}

/** `places`: {frame, node, time} of each frame. */
export function indexAndTrailer(offset, places) {
  const payload = Buffer.alloc(8 + 24 * places.length);
  payload.writeBigUInt64LE(BigInt(places.length), 0);
  places.forEach(({ frame, node, time }, i) => {
    payload.writeBigUInt64LE(BigInt(frame), 8 + 24 * i);
    payload.writeBigUInt64LE(BigInt(node), 16 + 24 * i);
    payload.writeDoubleLE(time, 24 + 24 * i);
  });
  const trailer = Buffer.alloc(16);
  trailer.writeBigUInt64LE(BigInt(offset), 0);
  trailer.write('RUBATOIX', 8, 'latin1');
  return Buffer.concat([chunk('INDX', payload), trailer]);
}
