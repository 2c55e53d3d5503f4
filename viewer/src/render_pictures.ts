import { Vector3 } from 'three';
import { colourings, type Colouring } from './data/colouring';
import { FrameCache } from './data/frame_cache';
import type { Frame } from './data/frame_file';
import { Box, overviewOf, type Overview } from './data/overview';
import { Run, runColours, type RunSource } from './data/run';
import { checked } from './panel/settings';
import { drawCaption, drawLabels } from './panel/labels';
import type { Layout } from './picture/arrangement';
import type { CameraPreset } from './picture/framing';
import { drawEnergyPlot } from './picture/energy_plot';
import { drawScale } from './picture/scale_picture';
import { fewSamples } from './picture/lights';
import { Stage } from './picture/stage';

/** Which pictures are wanted. docs/viewer.md describes every key. */
export interface RenderOrder {
  width: number; // [pixels]
  height: number;
  times: number[]; // [s]
  colour?: Colouring;
  camera?: CameraPreset;
  turn?: number; // of the camera about the vertical [degrees]
  samples?: number;
  background?: 'light' | 'dark' | 'transparent';
  superimpose?: boolean;
  labels?: boolean;
  plot?: boolean;
  wireframe?: boolean;
  layout?: Layout;
  follow?: boolean;
}

const cacheBytes = 256 << 20;

async function post(path: string, body: Blob | string): Promise<void> {
  const answer = await fetch(path, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${path}: the server answers ${answer.status}.`);
}

/** Draws the pictures one after the other and posts each to the server. */
export async function renderPictures(element: HTMLElement, sources: RunSource[], order: RenderOrder): Promise<void> {
  try {
    const pictures = await Pictures.open(sources, order);
    element.replaceChildren(pictures.paper);
    const moments = order.superimpose ? [order.times] : order.times.map((time) => [time]);
    for (const [number, times] of moments.entries()) {
      await pictures.draw(times);
      await post(`/render/${number}`, await pictures.png());
    }
    await post('/render/done', '');
  } catch (error) {
    await post('/render/error', (error as Error).message || String(error)).catch(() => undefined);
  }
}

/** Draws runs at given times on a canvas of given size. */
export class Pictures {
  readonly paper: HTMLCanvasElement;
  private readonly dark: boolean;

  private constructor(
    private readonly order: RenderOrder,
    private readonly runs: Run[],
    private readonly overviews: Overview[],
    private readonly stage: Stage,
  ) {
    this.paper = document.createElement('canvas');
    this.paper.width = order.width;
    this.paper.height = order.height;
    this.dark = order.background === 'dark';
  }

  static async open(sources: RunSource[], order: RenderOrder): Promise<Pictures> {
    if (!(order.width >= 16 && order.height >= 16)) throw new Error(`A picture of ${order.width} by ${order.height} pixels cannot be drawn.`);
    if (sources.length === 0) throw new Error('There is no run to draw.');
    const { colour, camera, layout } = order;
    checked(Object.fromEntries(Object.entries({ colour, camera, layout }).filter(([, value]) => value !== undefined)));
    const cache = new FrameCache<Frame>(cacheBytes);
    const runs: Run[] = [];
    const overviews: Overview[] = [];
    for (const [i, source] of sources.entries()) {
      const run = await Run.open(source, runColours[i % runColours.length], cache);
      if (run.file.count === 0) throw new Error(`${run.name} holds no frame.`);
      runs.push(run);
      overviews.push(await overviewOf(run));
    }
    const canvas = document.createElement('canvas');
    if (!document.createElement('canvas').getContext('webgl2')) throw new Error('This browser has no WebGL 2; pictures cannot be drawn.');
    const stage = new Stage(canvas, (order.samples ?? 32) <= 1);
    stage.layout = order.layout ?? 'side-by-side';
    stage.colouring = order.colour ?? 'body';
    stage.wireframe = order.wireframe ?? false;
    stage.setSize(order.width, order.height, 1);
    const named = (order.labels ?? true) && runs.length > 1;
    stage.margins = { side: 0.95, above: 0.94, below: order.plot ? (named ? 0.24 : 0.5) : named ? 0.7 : 0.92 };
    stage.setRuns(runs, overviews);
    stage.paint(order.background === 'dark');
    stage.lights.turn(order.turn ?? 0);
    const pictures = new Pictures(order, runs, overviews, stage);
    pictures.setScale();
    return pictures;
  }

  async draw(times: number[]): Promise<void> {
    const { stage, order } = this;
    stage.clearGhosts();
    const last = times[times.length - 1];
    await this.showFrames(last);
    for (const [k, time] of times.slice(0, -1).entries())
      for (const [i, run] of this.runs.entries()) {
        const number = run.file.frameAt(time);
        if (number === run.file.frameAt(last)) continue;
        // From pale to nearly full, in the order of time.
        stage.addGhost(i, await run.frames.frame(number), 0.2 + 0.55 * ((k + 1) / times.length));
      }
    this.look();
    const samples = order.samples ?? 32;
    if (samples > 1) {
      const wanted = Math.max(samples, times.length > 1 ? fewSamples : 2); // ghosts are there in a part of them
      stage.few = wanted < fewSamples;
      stage.startMean();
      while (stage.samples < wanted) stage.addSample();
      stage.develop();
    } else stage.drawMoving();
    this.compose(times);
  }

  png(): Promise<Blob> {
    return new Promise((resolve, reject) =>
      this.paper.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large for this browser.'))), 'image/png'),
    );
  }

  private async showFrames(time: number): Promise<void> {
    for (const [i, run] of this.runs.entries()) {
      const number = run.file.frameAt(time);
      this.stage.show(i, await run.frames.frame(number));
      run.frames.prefetch(number, 8);
    }
  }

  private look(): void {
    const { stage, order } = this;
    const preset = order.camera ?? 'three-quarter';
    if (!order.follow) {
      stage.look(stage.fitted(preset, undefined, order.turn));
      return;
    }
    // A box as large as the bodies ever are at one moment, around where they are now.
    const centre = stage.centroid();
    const size = Math.max(...this.overviews.map(({ largestFrame }) => largestFrame));
    const { extent } = stage.arrangement;
    const spread = this.runs.length > 1 && stage.layout === 'side-by-side';
    const reach = [0, 1, 2].map((axis) => (spread && axis !== 1 ? Math.max(size, extent.size(axis)) : size) / 2);
    const box = new Box();
    box.include(centre.x - reach[0], centre.y - reach[1], centre.z - reach[2]);
    box.include(centre.x + reach[0], centre.y + reach[1], centre.z + reach[2]);
    stage.look(stage.fitted(preset, box.corners.map((corner) => new Vector3(...corner)), order.turn));
  }

  private setScale(): void {
    const { scale } = this.stage;
    const colour = this.order.colour ?? 'body';
    const high = Math.max(1e-12, ...this.overviews.map(({ scaleEnds }) => scaleEnds.get(colour) ?? 0));
    scale.shown.value = colour === 'body' ? 0 : 1;
    scale.range.value = [0, high];
  }

  private compose(times: number[]): void {
    const { order, paper, stage, dark } = this;
    const ink = paper.getContext('2d') as CanvasRenderingContext2D;
    ink.clearRect(0, 0, paper.width, paper.height);
    if (order.background !== 'transparent') {
      const { width, height } = paper;
      const middle = [width / 2, 0.3 * height] as const;
      const sky = ink.createRadialGradient(...middle, 0, ...middle, 1.0 * Math.hypot(width / 2, height));
      const colours = dark ? ['#333a47', '#232832', '#14171d'] : ['#ffffff', '#f4f3f0', '#e4e4e3'];
      colours.forEach((colour, k) => sky.addColorStop([0, 0.48, 1][k], colour));
      ink.fillStyle = sky;
      ink.fillRect(0, 0, width, height);
    }
    ink.drawImage(stage.renderer.domElement, 0, 0);
    const last = times[times.length - 1];
    const style = { dark, size: Math.max(11, Math.min(paper.width / 62, paper.height / 36)) };
    if (order.plot) drawEnergyPlot(ink, this.runs, last, style, paper.width, paper.height);
    const entry = colourings.find(({ name }) => name === order.colour);
    if (entry && entry.unit) drawScale(ink, entry, stage.scale.range.value[1], style, paper.width);
    if (!(order.labels ?? true)) return;
    drawLabels(ink, stage, this.runs, last, { dark, size: 1.45 * style.size });
    const text = times.length > 1 ? `${times[0].toFixed(2)} s to ${last.toFixed(2)} s` : `${last.toFixed(3)} s`;
    drawCaption(ink, this.runs, text, style);
  }
}
