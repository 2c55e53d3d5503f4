import type { ByteSource } from './byte_source';
import { crc32 } from './crc32';

export const chunkHeadLength = 16; // bytes
export const fileHeadLength = 16; // bytes
const trailerLength = 16; // bytes
const blockLength = 1 << 16; // of one read while walking [bytes]
const headsAtOnce = 24; // requests under way while walking over large frames

export interface ChunkHead {
  kind: string;
  checksum: number;
  offset: number; // of the head within the file
  length: number; // of the payload
}

/** Where a frame is. */
export interface FramePlace {
  offset: number; // of its FRAM chunk
  time: number; // [s]; NaN until the frame was read, where the file has no index
}

export function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function padded(length: number): number {
  return Math.ceil(length / 8) * 8;
}

export function chunkEnd(chunk: ChunkHead): number {
  return chunk.offset + chunkHeadLength + padded(chunk.length);
}

export function chunkHeadIn(bytes: Uint8Array, offset: number): ChunkHead | null {
  if (bytes.length < chunkHeadLength) return null;
  const view = viewOf(bytes);
  const length = Number(view.getBigUint64(8, true));
  if (!Number.isSafeInteger(length)) return null;
  return { kind: textOf(bytes.subarray(0, 4)), checksum: view.getUint32(4, true), offset, length };
}

/** The places of all frames by the index at the end of the file; null if there is no good one. */
export async function indexAtEnd(source: ByteSource, size: number, frameLength: number): Promise<FramePlace[] | null> {
  if (size < fileHeadLength + chunkHeadLength + trailerLength) return null;
  const trailer = await source.read(size - trailerLength, trailerLength);
  if (trailer.length < trailerLength || textOf(trailer.subarray(8)) !== 'RUBATOIX') return null;
  const offset = Number(viewOf(trailer).getBigUint64(0, true));
  if (!(offset >= fileHeadLength) || offset + chunkHeadLength > size - trailerLength) return null;
  const bytes = await source.read(offset, size - trailerLength - offset);
  const head = chunkHeadIn(bytes, offset);
  if (!head || head.kind !== 'INDX' || chunkHeadLength + head.length > bytes.length) return null;
  const payload = bytes.subarray(chunkHeadLength, chunkHeadLength + head.length);
  if (payload.length < 8 || crc32(payload) !== head.checksum) return null;
  const view = viewOf(payload);
  const frames = Number(view.getBigUint64(0, true));
  if (payload.length < 8 + 24 * frames) return null;
  const places: FramePlace[] = [];
  for (let i = 0; i < frames; ++i) {
    const place = { offset: Number(view.getBigUint64(8 + 24 * i, true)), time: view.getFloat64(24 + 24 * i, true) };
    if (place.offset < fileHeadLength || place.offset + chunkHeadLength + frameLength > size) return null;
    places.push(place);
  }
  return places;
}

/**
 * Goes from chunk to chunk, reading their heads only. Small chunks are read as whole blocks; where frames are large, the
 * heads of the next frames are asked for at once, at the distance that the last two frames had.
 */
export class ChunkWalk {
  private readonly known = new Map<number, Uint8Array>(); // bytes from these offsets on
  private lastFrame = 0; // offset of the last FRAM; 0: none yet
  private period = 0; // distance between the last two FRAM chunks [bytes]
  private within: number[] = []; // where chunks begin within a period

  constructor(
    private readonly source: ByteSource,
    public offset: number,
  ) {}

  /** The next whole chunk before `size`, and the first 8 bytes of its payload; null: there is none. */
  async next(size: number): Promise<{ head: ChunkHead; start: Uint8Array } | null> {
    const bytes = await this.bytesAt(this.offset, size);
    const head = chunkHeadIn(bytes, this.offset);
    if (!head || chunkEnd(head) > size || !/^[A-Z0-9]{4}$/.test(head.kind)) {
      this.known.clear(); // what is half-written now will be different the next time
      return null;
    }
    if (head.kind === 'FRAM') {
      if (this.lastFrame) this.period = head.offset - this.lastFrame;
      this.lastFrame = head.offset;
      this.within = [];
    }
    if (this.lastFrame) this.within.push(head.offset - this.lastFrame);
    this.offset = chunkEnd(head);
    return { head, start: bytes.subarray(chunkHeadLength, chunkHeadLength + 8) };
  }

  private async bytesAt(offset: number, size: number): Promise<Uint8Array> {
    const needed = Math.min(chunkHeadLength + 8, size - offset);
    if (needed < chunkHeadLength) return new Uint8Array(0);
    for (const [from, bytes] of this.known)
      if (from <= offset && offset + needed <= from + bytes.length) return bytes.subarray(offset - from, offset - from + needed);
    this.known.clear();
    if (this.period > blockLength / 4 && this.lastFrame) await this.readAhead(offset, needed, size);
    else this.known.set(offset, await this.source.read(offset, Math.min(blockLength, size - offset)));
    const bytes = this.known.get(offset) ?? new Uint8Array(0);
    return bytes.subarray(0, needed);
  }

  private async readAhead(offset: number, needed: number, size: number): Promise<void> {
    const offsets = new Set([offset]);
    for (let round = 0; offsets.size < headsAtOnce && round < headsAtOnce; ++round)
      for (const distance of this.within) {
        const guess = this.lastFrame + (round + 1) * this.period + distance;
        if (guess > offset && guess + needed <= size) offsets.add(guess);
      }
    await Promise.all([...offsets].map(async (o) => this.known.set(o, await this.source.read(o, needed))));
  }
}
