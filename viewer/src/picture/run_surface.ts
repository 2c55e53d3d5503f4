import {
  BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, FrontSide, Group, LineBasicMaterial, LineSegments, Mesh, type MeshStandardMaterial,
} from 'three'; // prettier-ignore
import { bodyColour, mixedColours } from '../data/colour_map';
import { pointValues, scaleEnd, colourings, type Colouring } from '../data/colouring';
import type { Frame, FrameFile } from '../data/frame_file';
import { placeSurface, smoothSurface, type SmoothSurface } from './smooth_surface';
import { surfaceMaterial, type ValueScale } from './surface_material';

const obstacleColour = '#9a9ea6';

/** The moving surface of a run: all its bodies, except those that the ground stands for. */
export class RunSurface {
  readonly group = new Group();
  readonly material: MeshStandardMaterial;
  readonly edges: LineSegments<BufferGeometry, LineBasicMaterial>;
  readonly centroid: [number, number, number] = [0, 0, 0]; // of the bodies' points in the frame shown [m], as in the file
  meanEdge = 0; // mean length of an edge at rest [m]
  frame: Frame | null = null;
  readonly depthShift = { value: 0 };

  private readonly mesh: Mesh<BufferGeometry, MeshStandardMaterial>;
  private readonly geometry = new BufferGeometry();
  private readonly surface: SmoothSurface;
  private readonly sums: Float32Array;
  private readonly values: Float32Array; // of the points
  private colouring: Colouring = 'body';

  constructor(
    private readonly file: FrameFile,
    private readonly hidden: boolean[], // for each body
    scale: ValueScale,
  ) {
    const { header } = file;
    const bodyOfPoint = new Uint32Array(header.points);
    header.bodies.forEach((body, b) => bodyOfPoint.fill(b, body.firstPoint, body.firstPoint + body.points));
    this.surface = smoothSurface(this.shownTriangles(), file.rest, bodyOfPoint);
    this.sums = new Float32Array(3 * this.surface.creases);
    this.values = new Float32Array(header.points);

    const vertices = this.surface.point.length;
    for (const [name, components] of [['position', 3], ['normal', 3], ['color', 3], ['value', 1]] as const) { // prettier-ignore
      const attribute = new BufferAttribute(new Float32Array(components * vertices), components);
      if (name !== 'color') attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
    this.geometry.setIndex(new BufferAttribute(this.surface.index, 1));
    this.material = surfaceMaterial(scale, this.depthShift);
    // Of a closed body half of the faces are turned away, and leaving them out saves half of the work.
    if (this.surface.closed) this.material.side = FrontSide;
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false; // bounds change with every frame, and finding them costs more than it saves

    const edgeGeometry = new BufferGeometry();
    edgeGeometry.setAttribute('position', this.geometry.getAttribute('position'));
    edgeGeometry.setIndex(new BufferAttribute(this.surface.edges, 1));
    this.edges = new LineSegments(edgeGeometry, new LineBasicMaterial({ color: 0x10141c, transparent: true, opacity: 0.35, depthWrite: false }));
    this.edges.frustumCulled = false;
    this.edges.visible = false;
    this.meanEdge = this.meanEdgeAtRest();
    this.group.add(this.mesh, this.edges);
  }

  /** Colours of the bodies; `tint`: the run's colour, where runs stand beside each other. */
  paint(tint: string | null): void {
    const { header } = this.file;
    const colours = new Float32Array(3 * header.points);
    let moving = 0;
    for (const body of header.bodies) {
      let hex = obstacleColour;
      if (!body.obstacle) {
        const i = moving++;
        // Bodies of a tinted run differ in lightness only.
        hex = tint ? mixedColours(tint, i % 2 ? '#ffffff' : '#202838', i === 0 ? 0 : 0.12 + 0.08 * (i % 5)) : bodyColour(i);
      }
      const { r, g, b } = new Color(hex);
      for (let i = body.firstPoint; i < body.firstPoint + body.points; ++i) colours.set([r, g, b], 3 * i);
    }
    const out = this.geometry.getAttribute('color') as BufferAttribute;
    this.surface.point.forEach((p, v) => out.setXYZ(v, colours[3 * p], colours[3 * p + 1], colours[3 * p + 2]));
    out.needsUpdate = true;
  }

  show(frame: Frame, colouring: Colouring): void {
    if (frame !== this.frame) {
      const position = this.geometry.getAttribute('position') as BufferAttribute;
      const normal = this.geometry.getAttribute('normal') as BufferAttribute;
      placeSurface(this.surface, frame.values, position.array as Float32Array, normal.array as Float32Array, this.sums);
      position.needsUpdate = normal.needsUpdate = true;
      this.findCentroid(frame.values);
    } else if (colouring === this.colouring) return;
    this.frame = frame;
    this.colouring = colouring;
    if (colouring !== 'body') this.showValues(frame);
  }

  set shadowed(on: boolean) {
    this.mesh.receiveShadow = on;
  }

  /** Upper end of a scale that fits the frame shown. */
  get frameScaleEnd(): number {
    const entry = colourings.find(({ name }) => name === this.colouring);
    return scaleEnd(this.values, entry?.spans ?? false);
  }

  dispose(): void {
    this.geometry.dispose();
    this.edges.geometry.dispose();
    this.edges.material.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }

  private showValues(frame: Frame): void {
    pointValues(this.file, frame, this.colouring, this.values);
    for (const body of this.file.header.bodies) // -1: stays in the colour of the body
      if (body.obstacle && this.colouring !== 'contact') this.values.fill(-1, body.firstPoint, body.firstPoint + body.points);
    const out = this.geometry.getAttribute('value') as BufferAttribute;
    const array = out.array as Float32Array;
    const { point } = this.surface;
    for (let v = 0; v < point.length; ++v) array[v] = this.values[point[v]];
    out.needsUpdate = true;
  }

  private shownTriangles(): Uint32Array {
    const { bodies } = this.file.header;
    if (!this.hidden.includes(true)) return this.file.triangles;
    const parts = bodies
      .filter((_, b) => !this.hidden[b])
      .map((body) => this.file.triangles.subarray(3 * body.firstTriangle, 3 * (body.firstTriangle + body.triangles)));
    const out = new Uint32Array(parts.reduce((n, part) => n + part.length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  private findCentroid(x: Float32Array): void {
    let points = 0;
    const sum = [0, 0, 0];
    for (const body of this.file.header.bodies) {
      if (body.obstacle) continue;
      points += body.points;
      for (let i = 3 * body.firstPoint; i < 3 * (body.firstPoint + body.points); i += 3) {
        sum[0] += x[i];
        sum[1] += x[i + 1];
        sum[2] += x[i + 2];
      }
    }
    for (let k = 0; k < 3; ++k) this.centroid[k] = points ? sum[k] / points : 0;
  }

  private meanEdgeAtRest(): number {
    const { edges, point } = this.surface;
    const { rest } = this.file;
    const stride = 2 * Math.max(1, Math.floor(edges.length / 2 / 2000));
    let sum = 0;
    let count = 0;
    for (let e = 0; e + 1 < edges.length; e += stride, ++count) {
      const a = 3 * point[edges[e]];
      const b = 3 * point[edges[e + 1]];
      sum += Math.hypot(rest[a] - rest[b], rest[a + 1] - rest[b + 1], rest[a + 2] - rest[b + 2]);
    }
    return count ? sum / count : 0;
  }
}
