import { MOUSE, TOUCH, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { colourings } from '../data/colouring';
import type { Frame } from '../data/frame_file';
import type { Overview } from '../data/overview';
import type { Run } from '../data/run';
import { between, roomForNames, type View } from '../picture/framing';
import { Stage } from '../picture/stage';
import { ColourBar } from './colour_bar';
import { element } from './element';
import { drawLabels } from './labels';
import type { Settings } from './settings';

const stillAfter = 180; // without change a picture is drawn well [ms]
const samples = 64; // of a still picture
const turnTime = 420; // from one view to another [ms]
const decades = 4; // of a logarithmic scale of colours

function webglWorks(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return context !== null;
}

/** The picture on the page: draws when something changed, and ever better while nothing does. */
export class PictureView {
  readonly root: HTMLElement;
  readonly stage: Stage | null = null;
  private readonly canvas: HTMLCanvasElement;
  private readonly labels = element('canvas', { class: 'rb-labels', 'aria-hidden': 'true' });
  private readonly bar: ColourBar;
  private readonly controls: OrbitControls | null = null;
  private readonly sizes: ResizeObserver;
  private runs: Run[] = [];
  private overviews: Overview[] = [];
  private time = 0; // [s]
  private request = 0;
  private last = 0; // when the loop last ran [ms]
  private changedAt = 0; // [ms]
  private stale = true;
  private movedByHand = false;
  private turning: { from: View; to: View; since: number } | null = null;
  private centroid: Vector3 | null = null;
  private fence: WebGLSync | null = null;
  private arriving = false; // a picture was drawn, and the graphics card is not known to be done with it
  drawn = 0; // pictures so far

  /** `tick` is called before every picture with the time since the last [s]; true: it wants another one soon. */
  constructor(
    private readonly settings: Settings,
    wholePage: boolean,
    change: (part: Partial<Settings>) => void,
    private readonly tick: (seconds: number) => boolean,
  ) {
    this.canvas = element('canvas', { tabindex: 0, role: 'img', 'aria-label': 'Moving bodies' });
    this.bar = new ColourBar(settings, change);
    this.root = element('div', { class: 'rb-stage' }, this.canvas, this.labels, this.bar.root);
    if (webglWorks()) {
      this.stage = new Stage(this.canvas, true);
      this.controls = new OrbitControls(this.stage.camera, this.canvas);
      this.controls.enableDamping = true;
      this.controls.dampingFactor = 0.14;
      this.controls.zoomSpeed = 0.8;
      this.controls.maxPolarAngle = 0.53 * Math.PI;
      this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
      if (!wholePage) this.letThePageScroll();
      this.controls.addEventListener('start', () => {
        this.movedByHand = true;
        this.turning = null;
      });
      this.controls.addEventListener('change', () => this.redraw());
    }
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.root);
    // A lost context comes back with everything in it gone, three.js restores it, and only a picture is missing.
    this.canvas.addEventListener('webglcontextrestored', () => this.redraw());
  }

  setRuns(runs: Run[], overviews: Overview[]): void {
    this.runs = runs;
    this.overviews = overviews;
    if (!this.stage) return;
    this.stage.layout = this.settings.layout;
    if (this.settings.colour !== 'body') this.stage.margins = { ...roomForNames, above: 0.7 };
    this.stage.setRuns(runs, overviews);
    this.stage.paint(this.settings.dark);
    this.centroid = null;
    this.look(false);
  }

  show(run: number, frame: Frame): void {
    if (!this.stage) return;
    this.stage.show(run, frame);
    this.redraw();
  }

  /** After the frames of all runs were shown. */
  framesShown(time: number): void {
    this.time = time;
    if (!this.stage) return;
    const centroid = this.stage.centroid();
    if (this.settings.follow && this.centroid && this.controls) {
      const way = centroid.clone().sub(this.centroid);
      this.stage.camera.position.add(way);
      this.controls.target.add(way);
    }
    this.centroid = centroid;
    this.redraw();
  }

  apply(before: Settings): void {
    const { stage, settings } = this;
    if (!stage) return;
    stage.colouring = settings.colour;
    stage.margins = { ...roomForNames, above: settings.colour === 'body' ? roomForNames.above : 0.7 }; // below the scale
    stage.wireframe = settings.wireframe;
    stage.paint(settings.dark);
    stage.surfaces.forEach((surface, i) => surface.frame && stage.show(i, surface.frame));
    if (settings.layout !== before.layout) {
      stage.layout = settings.layout;
      this.placed();
    }
    const scaleCame = (settings.colour === 'body') !== (before.colour === 'body');
    if (settings.camera !== before.camera || (scaleCame && !this.movedByHand && !settings.follow)) this.look(true);
    this.redraw();
  }

  /** After runs were hidden or shown. */
  placed(): void {
    this.stage?.place();
    this.centroid = null;
    this.look(true);
  }

  look(slowly: boolean): void {
    if (!this.stage || this.runs.length === 0) return;
    this.movedByHand = false;
    this.goTo(this.stage.fitted(this.settings.camera), slowly);
  }

  fit(): void {
    if (this.stage && this.controls) this.goTo(this.stage.refitted(this.controls.target), true);
  }

  redraw(): void {
    this.stale = true;
    this.wake();
  }

  wake(): void {
    if (!this.request) this.request = requestAnimationFrame((now) => this.loop(now));
  }

  /** Draws at once, for those who wait for it. */
  drawNow(): void {
    const { stage } = this;
    this.stale = false;
    this.changedAt = performance.now();
    if (!stage || this.runs.length === 0) return;
    this.showScale();
    stage.drawMoving();
    this.drawLabels();
    ++this.drawn;
    this.fence = this.newFence();
    this.arriving = true;
  }

  dispose(): void {
    cancelAnimationFrame(this.request);
    this.request = -1;
    this.sizes.disconnect();
    this.controls?.dispose();
    this.stage?.dispose();
  }

  private loop(now: number): void {
    this.request = 0;
    const seconds = this.last && now - this.last < 500 ? (now - this.last) / 1000 : 0;
    this.last = now;
    let busy = this.tick(seconds);
    const playing = busy;
    if (this.turning) busy = this.turn(now) || busy;
    else if (this.controls?.update()) busy = true;
    if (this.stale) {
      this.drawNow();
      busy = true;
    } else if (!playing && this.stage && this.runs.length > 0) {
      busy = (now - this.changedAt < stillAfter || this.improve()) || busy;
    }
    if (busy) this.wake();
    else this.last = 0;
  }

  /** One more rendering for the still picture; false: it is good. */
  private improve(): boolean {
    const stage = this.stage as Stage;
    const gl = stage.renderer.getContext() as WebGL2RenderingContext;
    if (document.hidden || gl.isContextLost()) return false;
    // The graphics card works behind our back; without waiting for it, turning the camera would lag behind a queue.
    if (this.fence && gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return true;
    if (this.arriving) {
      this.arriving = false;
      this.changedAt = performance.now(); // only now is the last change to be seen
      return true;
    }
    if (stage.samples === 0) stage.startMean();
    if (stage.samples >= samples) return false;
    stage.addSample();
    // The first few renderings alone look worse than the picture that is there.
    if (stage.samples >= 16 && stage.samples % 8 === 0) stage.develop();
    this.fence = this.newFence();
    return true;
  }

  /** Is passed when everything that was asked of the graphics card so far is done. */
  private newFence(): WebGLSync | null {
    const gl = (this.stage as Stage).renderer.getContext() as WebGL2RenderingContext;
    if (this.fence) gl.deleteSync(this.fence);
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return fence;
  }

  private goTo(view: View, slowly: boolean): void {
    if (!this.stage || !this.controls) return;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (slowly && !calm) {
      const from = { position: this.stage.camera.position.clone(), target: this.controls.target.clone() };
      this.turning = { from, to: view, since: performance.now() };
    } else {
      this.turning = null;
      this.setView(view);
    }
    this.redraw();
  }

  private turn(now: number): boolean {
    const { from, to, since } = this.turning as NonNullable<PictureView['turning']>;
    const share = Math.min(1, Math.max(0, (now - since) / turnTime));
    this.setView(between(from, to, share));
    if (share === 1) this.turning = null;
    this.stale = true;
    return share < 1;
  }

  private setView(view: View): void {
    this.stage?.look(view);
    this.controls?.target.copy(view.target);
    this.controls?.update();
  }

  private showScale(): void {
    const stage = this.stage as Stage;
    const { colour, range, logColour } = this.settings;
    const entry = colourings.find(({ name }) => name === colour);
    const log = logColour && (entry?.spans ?? false);
    const ends = stage.visibleRuns().map((i) =>
      range === 'frame' ? stage.surfaces[i].frameScaleEnd : (this.overviews[i].scaleEnds.get(colour) ?? 0),
    );
    const high = Math.max(...ends, 1e-12);
    const low = log ? high * 10 ** -decades : 0;
    stage.scale.shown.value = colour === 'body' ? 0 : 1;
    stage.scale.log.value = log ? 1 : 0;
    stage.scale.range.value = log ? [Math.log(low), Math.log(high)] : [low, high];
    this.bar.show(colour, low, high, this.settings);
  }

  /** On a page with other things the wheel, and a finger going up or down, belong to the page until the picture is clicked. */
  private letThePageScroll(): void {
    this.canvas.style.touchAction = 'pan-y';
    const keep = (event: WheelEvent): void => {
      if (!event.ctrlKey && document.activeElement !== this.canvas) event.stopPropagation();
    };
    this.root.addEventListener('wheel', keep, { capture: true, passive: true });
  }

  private drawLabels(): void {
    const ink = this.labels.getContext('2d');
    if (!ink || !this.stage) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    ink.clearRect(0, 0, this.labels.width, this.labels.height);
    const size = Math.min(26, Math.max(12, Math.min(19, this.root.clientWidth / 56), this.root.clientWidth / 130));
    if (this.settings.labels) drawLabels(ink, this.stage, this.runs, this.time, { dark: this.settings.dark, size });
  }

  private resize(): void {
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    if (width === 0 || height === 0) return;
    const ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.labels.width = Math.round(width * ratio);
    this.labels.height = Math.round(height * ratio);
    this.stage?.setSize(width, height, Math.min(ratio, 2));
    if (!this.movedByHand && !this.settings.follow) this.look(false);
    // The canvas is empty now; drawing within the same task keeps it from flashing.
    this.drawNow();
    this.wake();
  }
}
