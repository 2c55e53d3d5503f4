import { MemorySource, type ByteSource } from '../../src/data/byte_source';
// @ts-expect-error Node's own modules have no types here; the viewer itself runs in browsers
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
// @ts-expect-error as above
import { tmpdir } from 'node:os';
// @ts-expect-error as above
import { join } from 'node:path';
import { writeRun, type WrittenRun } from '../sample/bouncing_ball.mjs';

/** The bytes of a sample run, and what is known of it. */
export function sampleRun(options: Record<string, unknown> = {}): { bytes: Uint8Array; stats: string; written: WrittenRun } {
  const folder: string = mkdtempSync(join(tmpdir(), 'rubato-viewer-'));
  try {
    const written = writeRun(folder, { pieces: 4, frames: 12, duration: 1.1, ...options });
    const bytes = Uint8Array.from(readFileSync(join(folder, 'frames.rbt')) as Uint8Array);
    return { bytes, stats: readFileSync(join(folder, 'stats.csv'), 'utf8') as string, written };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function sourceOf(bytes: Uint8Array): ByteSource {
  return new MemorySource(bytes.slice().buffer as ArrayBuffer, 'frames.rbt');
}

/** Counts what is read. */
export class CountedSource implements ByteSource {
  readonly name = 'frames.rbt';
  reads = 0;
  bytesRead = 0;
  constructor(public bytes: Uint8Array) {}
  async size(): Promise<number> {
    return this.bytes.length;
  }
  async read(offset: number, length: number): Promise<Uint8Array> {
    ++this.reads;
    const part = this.bytes.subarray(offset, offset + length);
    this.bytesRead += part.length;
    return part;
  }
}
