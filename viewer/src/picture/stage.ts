import {
  type Material, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Scene, Vector3, Vector4, WebGLRenderer, type WebGLRenderTarget,
} from 'three'; // prettier-ignore
import type { Colouring } from '../data/colouring';
import type { Frame } from '../data/frame_file';
import { Box, type Overview } from '../data/overview';
import type { Run } from '../data/run';
import { arrange, groundBodies, upright, type Arrangement, type Layout } from './arrangement';
import { framed, presetDirection, roomForNames, type CameraPreset, type Margins, type View } from './framing';
import { Ground } from './ground';
import { evenly, Lights } from './lights';
import { MeanPicture } from './mean_picture';
import { RunSurface } from './run_surface';
import { valueScale } from './surface_material';

/** Part of the canvas that shows one run, or all [pixels from the upper left]. */
export interface Pane {
  x: number;
  y: number;
  width: number;
  height: number;
  run: number; // -1: all
}

/** A copy of a run's surface at another moment, for pictures in which several moments appear together. */
export interface Ghost {
  surface: RunSurface;
  opacity: number;
}

/** Whether there is no graphics card: then a picture of moving things has to be a simple one. */
function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && names ? String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** The picture in space: surfaces, ground, light and camera. It draws when it is told to. */
export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(26, 1, 0.01, 100);
  readonly scale = valueScale();
  arrangement: Arrangement = { offsets: [], boxes: [], outlines: [], extent: new Box(), outline: [], ground: 0, depthwise: false };
  surfaces: RunSurface[] = [];
  ghosts: Ghost[] = [];
  layout: Layout = 'side-by-side';
  colouring: Colouring = 'body';
  wireframe = false;
  margins: Margins = roomForNames;

  private readonly scene = new Scene();
  private readonly ground = new Ground();
  readonly lights: Lights;
  private readonly mean: MeanPicture;
  private runs: Run[] = [];
  private overviews: Overview[] = [];
  private width = 1; // of the canvas [CSS pixels]
  private height = 1;
  private ratio = 1; // device pixels per CSS pixel
  private shadowsStale = true;

  /** `smooth`: pictures of moving things are to have smooth edges too, where that costs little. */
  constructor(canvas: HTMLCanvasElement, smooth: boolean) {
    const slow = drawsInSoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: smooth && !slow, alpha: true, premultipliedAlpha: true, powerPreference: 'high-performance' });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.toneMappingExposure = 1.05;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.info.autoReset = true;
    this.lights = new Lights(slow ? 1024 : 2048, 2048, 1024);
    this.mean = new MeanPicture(this.renderer);
    this.scene.add(this.lights.group, this.ground.mesh);
    this.paint(false);
  }

  /** Whether a mean will have few renderings. */
  few = false;

  get samples(): number {
    return this.mean.count;
  }

  get gridSpacing(): number {
    return this.ground.spacing;
  }

  setRuns(runs: Run[], overviews: Overview[]): void {
    for (const surface of this.surfaces) surface.dispose();
    this.runs = runs;
    this.overviews = overviews;
    this.surfaces = runs.map((run, i) => {
      const surface = new RunSurface(run.file, groundBodies(run, overviews[i]), this.scale);
      surface.group.quaternion.copy(upright(run));
      this.scene.add(surface.group);
      return surface;
    });
    this.place();
  }

  /** Another moment of a run, beside the one that is shown. */
  addGhost(run: number, frame: Frame, opacity: number): void {
    const surface = new RunSurface(this.runs[run].file, groundBodies(this.runs[run], this.overviews[run]), this.scale);
    surface.group.quaternion.copy(upright(this.runs[run]));
    surface.group.position.copy(this.arrangement.offsets[run]);
    surface.paint(this.tint(run));
    surface.show(frame, this.colouring);
    this.scene.add(surface.group);
    this.ghosts.push({ surface, opacity });
    // The oldest is the furthest back, and the ground behind all of them.
    const distance = Math.max(this.camera.position.length(), this.arrangement.extent.diagonal);
    const far = (k: number): number => (0.5 * (this.ghosts.length - k) * this.overviews[run].largestFrame) / distance;
    this.ghosts.forEach((ghost, k) => (ghost.surface.depthShift.value = far(k)));
    // Moments must not throw shadows on each other.
    for (const each of [...this.surfaces, surface]) each.shadowed = false;
    this.ground.setDepthShift(far(-1));
  }

  clearGhosts(): void {
    for (const { surface } of this.ghosts) surface.dispose();
    this.ghosts = [];
    for (const surface of this.surfaces) surface.shadowed = true;
    this.ground.setDepthShift(0);
  }

  /** Puts runs where the layout wants them, after a change of layout or of which are visible. */
  place(): void {
    this.arrangement = arrange(this.runs, this.overviews, this.layout, this.width / this.height);
    const { extent, ground, offsets } = this.arrangement;
    const several = this.visibleRuns().length > 1;
    this.surfaces.forEach((surface, i) => {
      surface.group.position.copy(offsets[i]);
      surface.paint(this.tint(i));
      const behind = several && this.layout === 'overlaid' && i !== this.visibleRuns().at(-1);
      const { material } = surface;
      material.transparent = behind;
      material.opacity = behind ? 0.45 : 1;
      (material as Material).needsUpdate = true;
    });
    const shadowed = new Box();
    shadowed.includeBox(extent);
    shadowed.include(extent.centre(0), ground, extent.centre(2));
    this.lights.fit(shadowed, ground);
    const centre = new Vector3(extent.centre(0), 0, extent.centre(2));
    this.ground.place(ground - 1e-4 * extent.diagonal, centre, Math.max(extent.diagonal, 2 * this.widest()));
    this.shadowsStale = true;
  }

  paint(dark: boolean): void {
    this.ground.paint(dark);
    for (const surface of this.surfaces) surface.edges.material.color.set(dark ? 0x05070b : 0x10141c);
  }

  show(run: number, frame: Frame): void {
    this.surfaces[run].show(frame, this.colouring);
    this.shadowsStale = true;
  }

  setSize(width: number, height: number, ratio: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(this.width, this.height, false);
  }

  visibleRuns(): number[] {
    return this.runs.map((_, i) => i).filter((i) => this.runs[i].visible);
  }

  panes(): Pane[] {
    const { width, height } = this;
    const shown = this.visibleRuns();
    if (this.layout !== 'split' || shown.length < 2) return [{ x: 0, y: 0, width, height, run: -1 }];
    // As many columns as make panes that are closest to the shape of the canvas' rows.
    const columns = width >= height ? shown.length <= 3 ? shown.length : Math.ceil(Math.sqrt(shown.length)) : shown.length <= 3 ? 1 : 2; // prettier-ignore
    const rows = Math.ceil(shown.length / columns);
    return shown.map((run, k) => ({
      x: ((k % columns) * width) / columns,
      y: (Math.floor(k / columns) * height) / rows,
      width: width / columns,
      height: height / rows,
      run,
    }));
  }

  /** `turn`: further about the vertical, seen from above against the clock [degrees]. */
  fitted(preset: CameraPreset, points = this.arrangement.outline, turn = 0): View {
    this.aspect(this.panes()[0]);
    const shown = this.layout === 'side-by-side' ? this.visibleRuns().length : 1;
    const towards = presetDirection(preset, shown, this.arrangement.depthwise);
    return framed(this.camera, points, towards.applyAxisAngle(new Vector3(0, 1, 0), (turn * Math.PI) / 180), this.margins);
  }

  /** The same direction of looking, from where everything is in the picture. */
  refitted(target: Vector3): View {
    this.aspect(this.panes()[0]);
    return framed(this.camera, this.arrangement.outline, this.camera.position.clone().sub(target), this.margins);
  }

  look({ position, target }: View): void {
    this.camera.position.copy(position);
    this.camera.lookAt(target);
    const distance = position.distanceTo(target);
    const { diagonal } = this.arrangement.extent;
    this.camera.near = Math.max(distance * 0.02, distance - 4 * diagonal);
    this.camera.far = distance + 12 * diagonal;
    this.camera.updateProjectionMatrix();
  }

  /** Mean of the bodies' centroids in the frames shown [m]. */
  centroid(): Vector3 {
    const sum = new Vector3();
    const shown = this.visibleRuns();
    for (const i of shown)
      sum.add(new Vector3(...this.surfaces[i].centroid).applyQuaternion(this.surfaces[i].group.quaternion).add(this.arrangement.offsets[i]));
    return shown.length ? sum.divideScalar(shown.length) : sum;
  }

  /** A picture at once, for things that move. */
  drawMoving(): void {
    this.ground.shade(this.lights.moving(), [3.6, 1], 0);
    this.drawPanes(null, this.shadowsStale);
    this.shadowsStale = false;
    this.mean.count = 0;
  }

  startMean(): void {
    this.mean.restart(Math.round(this.width * this.ratio), Math.round(this.height * this.ratio));
  }

  /** Adds one rendering to the mean. */
  addSample(): void {
    const n = this.mean.count;
    // As many texels as the shadows of two renderings are apart, so that they do not show one by one.
    this.ground.shade(this.lights.sample(n, this.few), this.few ? [24, 1] : [12, 44], (n * 0.6180339887) % 1);
    const [u, v] = evenly(n);
    // A ghost is there in as many of the renderings as it is opaque, and its shadow with it.
    this.ghosts.forEach((ghost, k) => (ghost.surface.group.visible = (n * 0.6180339887 + k * 0.37) % 1 < ghost.opacity));
    this.drawPanes(this.mean.sample, true, [u - 0.5, v - 0.5]);
    this.shadowsStale = true;
    this.mean.add();
  }

  develop(): void {
    this.mean.develop();
  }

  dispose(): void {
    this.clearGhosts();
    for (const surface of this.surfaces) surface.dispose();
    this.mean.dispose();
    this.renderer.dispose();
  }

  private tint(run: number): string | null {
    return this.runs.length > 1 ? this.runs[run].colour : null;
  }

  private widest(): number {
    return Math.max(0, ...this.arrangement.boxes.map((box) => box.diagonal));
  }

  private aspect(pane: Pane): void {
    this.camera.aspect = pane.width / pane.height;
    this.camera.updateProjectionMatrix();
  }

  private drawPanes(target: WebGLRenderTarget | null, shadows: boolean, jitter?: [number, number]): void {
    const { renderer, camera } = this;
    const panes = this.panes();
    const scale = target ? this.ratio : 1; // the canvas is told CSS pixels, a target its own
    renderer.setRenderTarget(target);
    renderer.setScissorTest(false);
    renderer.clear();
    for (const pane of panes) {
      this.aspect(pane);
      if (jitter) camera.setViewOffset(pane.width * this.ratio, pane.height * this.ratio, jitter[0], jitter[1], pane.width * this.ratio, pane.height * this.ratio); // prettier-ignore
      this.surfaces.forEach((surface, i) => {
        surface.group.visible = this.runs[i].visible && (pane.run < 0 || pane.run === i);
        surface.edges.visible = this.wireframe;
        surface.edges.material.opacity = this.edgeOpacity(surface, pane);
      });
      const area = new Vector4(pane.x, this.height - pane.y - pane.height, pane.width, pane.height).multiplyScalar(scale);
      if (target) {
        target.viewport.copy(area);
        target.scissor.copy(area);
        target.scissorTest = panes.length > 1;
        renderer.setRenderTarget(target);
      } else {
        renderer.setViewport(area);
        renderer.setScissor(area);
        renderer.setScissorTest(panes.length > 1);
      }
      renderer.autoClear = false;
      renderer.shadowMap.needsUpdate = shadows || panes.length > 1;
      renderer.render(this.scene, camera);
      if (jitter) camera.clearViewOffset();
    }
    renderer.setScissorTest(false);
    renderer.setViewport(0, 0, this.width, this.height);
    renderer.setRenderTarget(null);
  }

  /** Edges fade where triangles become as small as a few pixels, so that a fine mesh does not turn black. */
  private edgeOpacity(surface: RunSurface, pane: Pane): number {
    const { extent } = this.arrangement;
    const distance = this.camera.position.distanceTo(new Vector3(extent.centre(0), extent.centre(1), extent.centre(2)));
    const pixels = (surface.meanEdge / distance / Math.tan((this.camera.fov * Math.PI) / 360)) * (pane.height / 2) * this.ratio;
    return 0.5 * Math.min(1, Math.max(0.12, (pixels - 1) / 9));
  }
}
