import { FileSource, HttpSource, MemorySource, type ByteSource } from './byte_source';
import type { FrameCache } from './frame_cache';
import { FrameFile, type Frame } from './frame_file';
import { FrameStream } from './frame_stream';
import { Stats } from './stats';

/** A run as whoever mounts the viewer gives it. */
export interface RunSource {
  name: string;
  scene?: string;
  colour?: string; // #rrggbb
  frames: string | ArrayBuffer | File; // a string is a URL
  stats?: string | File | { text: string };
  rest?: number; // energy when all has come to rest [J], if it is known
  live?: boolean; // more frames may come
}

/** Colours that tell runs apart, the same as in the plots that `rubato compare` draws. */
export const runColours = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9'];

let opened = 0;

/** A run that is open: its frames, its table, and how it is shown. */
export class Run {
  visible = true;
  stats = Stats.none;
  statsMissing = ''; // why there is no table

  private constructor(
    readonly source: RunSource,
    readonly colour: string,
    readonly file: FrameFile,
    readonly frames: FrameStream,
  ) {}

  static async open(source: RunSource, colour: string, cache: FrameCache<Frame>): Promise<Run> {
    const file = await FrameFile.open(bytesOf(source));
    const run = new Run(source, source.colour ?? colour, file, new FrameStream(file, cache, `run${opened++}`));
    await run.readStats();
    return run;
  }

  get name(): string {
    return this.source.name || this.file.header.integrator || this.file.name;
  }

  /** A second line under the name: what the name does not say already. */
  get about(): string {
    const { integrator, step } = this.file.header;
    const parts = integrator && integrator !== this.name ? [integrator] : [];
    if (step > 0) parts.push(`h = ${Number((step * 1000).toPrecision(3))} ms`);
    return parts.join(' · ');
  }

  get scene(): string {
    return this.file.header.scene || this.source.scene || '';
  }

  /** [s] */
  get duration(): number {
    return Math.max(this.file.lastTime, this.stats.rows ? this.stats.times[this.stats.rows - 1] : 0);
  }

  /** Energy at a row of the table over that at the start, both above rest where that is known; NaN where that says nothing. */
  energyKept(row: number): number {
    const total = this.stats.column('total');
    const rest = this.source.rest ?? 0;
    return total && row >= 0 && total[0] > rest ? (total[row] - rest) / (total[0] - rest) : NaN;
  }

  /** Looks for what a run that goes on wrote since. */
  async refresh(): Promise<boolean> {
    const change = await this.file.refresh();
    if (change === 'cut') this.frames.forget();
    if (change === 'same') return false;
    await this.readStats();
    return true;
  }

  async readStats(): Promise<void> {
    const given = this.source.stats;
    this.statsMissing = '';
    try {
      if (!given) this.statsMissing = 'no stats.csv was given';
      else if (given instanceof File) this.stats = Stats.read(await given.text());
      else if (typeof given === 'object') this.stats = Stats.read(given.text);
      else {
        const answer = await fetch(given, { cache: 'no-store' });
        if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
        this.stats = Stats.read(await answer.text());
      }
    } catch (error) {
      this.statsMissing = (error as Error).message;
    }
  }
}

function bytesOf(source: RunSource): ByteSource {
  if (typeof source.frames === 'string') return new HttpSource(source.frames, `${source.name} (${source.frames.split('/').pop()})`);
  if (source.frames instanceof ArrayBuffer) return new MemorySource(source.frames, source.name);
  return new FileSource(source.frames);
}
