import type { FrameCache } from './frame_cache';
import { DamagedFile, type Frame, type FrameFile } from './frame_file';

const requestBytes = 6 << 20; // one request brings at most this much

/** The frames of one run, brought when they are needed, or shortly before. */
export class FrameStream {
  private readonly coming = new Map<number, Promise<void>>();
  private readonly single = new Map<number, Promise<Frame>>(); // asked for one by one
  private readonly refused = new Map<number, DamagedFile>();

  constructor(
    readonly file: FrameFile,
    private readonly cache: FrameCache<Frame>,
    private readonly id: string,
  ) {}

  /** The frame if it is here already. */
  present(number: number): Frame | undefined {
    return this.cache.get(this.key(number));
  }

  /** Nothing has to be waited for: the frame is here, or it is known to be damaged. */
  settled(number: number): boolean {
    return this.cache.has(this.key(number)) || this.refused.has(number);
  }

  async frame(number: number): Promise<Frame> {
    const refused = this.refused.get(number);
    if (refused) throw refused;
    const here = this.present(number);
    if (here) return here;
    const coming = this.coming.get(number);
    if (coming) {
      await coming; // with its neighbours; if one of those was damaged, this one may still be missing
      const arrived = this.present(number);
      if (arrived) return arrived;
    }
    let alone = this.single.get(number);
    if (!alone) {
      alone = this.alone(number).finally(() => this.single.delete(number));
      this.single.set(number, alone);
    }
    return alone;
  }

  /** Asks for frames after `number`, in the direction of play, so that they are here in time. */
  prefetch(number: number, ahead: number): void {
    // What is ahead must not push out what is shown: at most a quarter of the cache.
    const most = Math.max(1, Math.floor(this.cache.capacity / 4 / this.file.frameBytes));
    const end = Math.min(this.file.count, number + 1 + Math.min(ahead, most));
    for (let first = number + 1; first < end; ++first) {
      if (this.cache.has(this.key(first)) || this.coming.has(first) || this.single.has(first) || this.refused.has(first)) continue;
      if (this.coming.size > 0 && first > number + 1 + most / 2) return; // enough is under way
      let wanted = 1;
      while (first + wanted < end && !this.cache.has(this.key(first + wanted)) && !this.coming.has(first + wanted)) ++wanted;
      const frames = this.file.neighbours(first, wanted, requestBytes);
      this.bring(first, frames).catch(() => undefined); // told when the frame itself is asked for
      first += frames - 1;
    }
  }

  forget(): void {
    this.refused.clear();
    this.cache.removeWhere((key) => key.startsWith(`${this.id}/`));
  }

  private async alone(number: number): Promise<Frame> {
    try {
      const [frame] = await this.file.read(number);
      this.keep(frame);
      return frame;
    } catch (error) {
      if (error instanceof DamagedFile) this.refused.set(number, error);
      throw error;
    }
  }

  private async bring(first: number, frames: number): Promise<void> {
    const arrival = this.file.read(first, frames).then(
      (read) => read.forEach((frame) => this.keep(frame)),
      () => undefined,
    );
    for (let i = 0; i < frames; ++i) this.coming.set(first + i, arrival);
    await arrival;
    for (let i = 0; i < frames; ++i) this.coming.delete(first + i);
  }

  private keep(frame: Frame): void {
    this.cache.put(this.key(frame.number), frame, frame.values.byteLength + 128);
  }

  private key(number: number): string {
    return `${this.id}/${number}`;
  }
}
