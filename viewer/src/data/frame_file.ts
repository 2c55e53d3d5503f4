import type { ByteSource } from './byte_source';
import { crc32 } from './crc32';
import { headerOf, type Field, type FrameHeader } from './frame_header';
import { ChunkWalk, chunkHeadIn, chunkHeadLength, fileHeadLength, indexAtEnd, padded, textOf, viewOf } from './frame_index';
import type { ChunkHead, FramePlace } from './frame_index';

const endianIsLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** A file, or a frame of it, that is not what it should be. Its message is meant for the page. */
export class DamagedFile extends Error {}

/** One moment. */
export interface Frame {
  number: number;
  time: number; // [s]
  step: number;
  values: Float32Array; // field after field, point after point, component after component
}

function numbers<T>(bytes: Uint8Array, make: (buffer: ArrayBuffer) => T): T {
  if (!endianIsLittle) throw new DamagedFile('This machine stores numbers the other way round; frames cannot be shown on it.');
  return make(bytes.slice().buffer as ArrayBuffer);
}

/** Reads a file of frames, frames.rbt, a few frames at a time. docs/frames_file.md describes every byte of it. */
export class FrameFile {
  private places: FramePlace[] = [];
  private walk: ChunkWalk;
  private seenSize = 0; // of the file when it was last looked at [bytes]
  ended = false; // an index was found: the run came to an orderly end

  private constructor(
    private readonly source: ByteSource,
    readonly header: FrameHeader,
    readonly triangles: Uint32Array, // three points each
    readonly rest: Float32Array, // positions at rest [m], three numbers each
    private readonly framesFrom: number, // offset of the first chunk that follows HEAD, SURF, TRIS, REST, TETS, NRST
  ) {
    this.walk = new ChunkWalk(source, framesFrom);
  }

  static async open(source: ByteSource): Promise<FrameFile> {
    const refused = (why: string): DamagedFile => new DamagedFile(`${source.name} cannot be shown: ${why}.`);
    const size = await source.size();
    const start = await source.read(0, fileHeadLength);
    if (start.length < fileHeadLength || textOf(start.subarray(0, 8)) !== 'RUBATOFR')
      throw refused('it is no file of frames (it does not begin with RUBATOFR)');
    const version = viewOf(start).getUint32(8, true);
    if (version !== 1) throw refused(`it is of version ${version}, and this viewer reads version 1`);

    const walk = new ChunkWalk(source, fileHeadLength);
    const parts = new Map<string, ChunkHead>();
    let framesFrom = walk.offset;
    for (;;) {
      const chunk = await walk.next(size);
      if (!chunk || chunk.head.kind === 'FRAM' || chunk.head.kind === 'INDX') break;
      parts.set(chunk.head.kind, chunk.head);
      framesFrom = walk.offset;
    }
    const payload = async (kind: string): Promise<Uint8Array> => {
      const part = parts.get(kind);
      if (!part) throw refused(`it holds no ${kind} chunk`);
      const bytes = await source.read(part.offset + chunkHeadLength, part.length);
      if (crc32(bytes) !== part.checksum) throw refused(`it is damaged, the checksum of its ${kind} chunk is wrong`);
      return bytes;
    };
    let header: FrameHeader;
    const json = new TextDecoder().decode(await payload('HEAD'));
    try {
      header = headerOf(json);
    } catch (error) {
      throw refused((error as Error).message);
    }
    const triangles = numbers(await payload('TRIS'), (b) => new Uint32Array(b));
    const rest = numbers(await payload('REST'), (b) => new Float32Array(b));
    if (triangles.length !== 3 * header.triangles || rest.length !== 3 * header.points)
      throw refused('its triangles or points are not as many as its header says');
    for (const point of triangles) if (point >= header.points) throw refused('a triangle names a point that is not there');

    const file = new FrameFile(source, header, triangles, rest, framesFrom);
    await file.look(size);
    return file;
  }

  get count(): number {
    return this.places.length;
  }

  get name(): string {
    return this.source.name;
  }

  /** [s] */
  time(frame: number): number {
    return this.places[frame].time;
  }

  get lastTime(): number {
    return this.places.length ? this.places[this.places.length - 1].time : 0;
  }

  get frameBytes(): number {
    return 16 + 4 * this.header.values;
  }

  field(name: string): Field | undefined {
    return this.header.fields.find((field) => field.name === name);
  }

  /** The frame that is shown at time t: the last one at or before it. */
  frameAt(t: number): number {
    let low = 0;
    let high = this.places.length - 1;
    const reach = t + 1e-9 * Math.max(1, Math.abs(t)); // a time read back from a text may be a rounding short
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.places[middle].time <= reach) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Looks for frames that came since. "cut": the run was resumed from an earlier moment, and frames are gone. */
  async refresh(): Promise<'same' | 'grown' | 'cut'> {
    const size = await this.source.size();
    if (size === this.seenSize) return 'same';
    const before = this.places.length;
    const cut = this.ended || size < this.walk.offset; // a resumed run cuts its index off and goes on
    if (cut) {
      this.places = [];
      this.walk = new ChunkWalk(this.source, this.framesFrom);
    }
    await this.look(size);
    return cut ? 'cut' : this.places.length > before ? 'grown' : 'same';
  }

  private async look(size: number): Promise<void> {
    this.seenSize = size;
    const index = await indexAtEnd(this.source, size, this.frameBytes);
    this.ended = index !== null;
    if (index) {
      this.places = index;
      this.walk = new ChunkWalk(this.source, size);
      return;
    }
    for (;;) {
      const chunk = await this.walk.next(size);
      if (!chunk || chunk.head.kind === 'INDX') return;
      if (chunk.head.kind === 'FRAM' && chunk.head.length === this.frameBytes)
        this.places.push({ offset: chunk.head.offset, time: viewOf(chunk.start).getFloat64(0, true) });
    }
  }

  /** How many frames from `first` on one request had better bring: their chunks lie close enough together. */
  neighbours(first: number, wanted: number, mostBytes: number): number {
    let frames = 1;
    while (frames < wanted && first + frames < this.count) {
      const from = this.places[first].offset;
      const end = this.places[first + frames].offset + chunkHeadLength + this.frameBytes;
      const wasted = end - from - (frames + 1) * (chunkHeadLength + padded(this.frameBytes));
      if (end - from > mostBytes || wasted > Math.max(1 << 16, (end - from) / 3)) break;
      ++frames;
    }
    return frames;
  }

  /** Reads `frames` of them with one request. */
  async read(first: number, frames = 1): Promise<Frame[]> {
    const from = this.places[first].offset;
    const last = this.places[first + frames - 1].offset;
    const bytes = await this.source.read(from, last - from + chunkHeadLength + this.frameBytes);
    return Array.from({ length: frames }, (_, i) =>
      this.frameIn(bytes.subarray(this.places[first + i].offset - from), first + i),
    );
  }

  private frameIn(bytes: Uint8Array, number: number): Frame {
    const head = chunkHeadIn(bytes, this.places[number].offset);
    const payload = bytes.subarray(chunkHeadLength, chunkHeadLength + this.frameBytes);
    const place = `frame ${number} (${Number(this.places[number].time.toPrecision(4))} s, byte ${this.places[number].offset})`;
    if (!head || head.kind !== 'FRAM' || head.length !== this.frameBytes || payload.length < this.frameBytes)
      throw new DamagedFile(`${this.name}: ${place} is not a whole frame.`);
    if (crc32(payload) !== head.checksum)
      throw new DamagedFile(`${this.name}: ${place} is damaged, its checksum is wrong. It is not shown.`);
    const view = viewOf(payload);
    return {
      number,
      time: view.getFloat64(0, true),
      step: Number(view.getBigUint64(8, true)),
      values: numbers(payload.subarray(16), (b) => new Float32Array(b)),
    };
  }
}
