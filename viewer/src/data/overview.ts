import { colourings, pointValues, scaleEnd, available, type Colouring } from './colouring';
import type { Frame } from './frame_file';
import type { Run } from './run';

const most = 48; // frames that are looked at
const mostBytes = 64 << 20; // of all frames that are looked at

/** A box along the axes [m]. */
export class Box {
  low = [Infinity, Infinity, Infinity];
  high = [-Infinity, -Infinity, -Infinity];

  get empty(): boolean {
    return !(this.high[0] >= this.low[0]);
  }

  include(x: number, y: number, z: number): void {
    const { low, high } = this;
    if (x < low[0]) low[0] = x;
    if (x > high[0]) high[0] = x;
    if (y < low[1]) low[1] = y;
    if (y > high[1]) high[1] = y;
    if (z < low[2]) low[2] = z;
    if (z > high[2]) high[2] = z;
  }

  includeBox(box: Box): void {
    if (box.empty) return;
    this.include(box.low[0], box.low[1], box.low[2]);
    this.include(box.high[0], box.high[1], box.high[2]);
  }

  size(axis: number): number {
    return this.empty ? 0 : this.high[axis] - this.low[axis];
  }

  centre(axis: number): number {
    return this.empty ? 0 : (this.low[axis] + this.high[axis]) / 2;
  }

  /** All eight. */
  get corners(): [number, number, number][] {
    const side = (corner: number, axis: number): number => (corner & (1 << axis) ? this.high : this.low)[axis];
    return Array.from({ length: this.empty ? 0 : 8 }, (_, corner) => [side(corner, 0), side(corner, 1), side(corner, 2)]);
  }

  get diagonal(): number {
    return Math.hypot(this.size(0), this.size(1), this.size(2));
  }

  moved(x: number, y: number, z: number): Box {
    const box = new Box();
    if (!this.empty) {
      box.include(this.low[0] + x, this.low[1] + y, this.low[2] + z);
      box.include(this.high[0] + x, this.high[1] + y, this.high[2] + z);
    }
    return box;
  }
}

export type Place = [number, number, number];

// Towards faces, edges and corners of a cube, one of each two that are opposite. What lies furthest that way, or the other, is
// inside the picture only if all is; boxes would leave much of it empty, for bodies do not fill their corners.
const ways: Place[] = [
  [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1],
  [1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1],
]; // prettier-ignore

/** The places that reach furthest along each of the ways, forth and back. */
class Reach {
  private readonly least = ways.map(() => Infinity);
  private readonly most = ways.map(() => -Infinity);
  private readonly ends: Place[] = [];

  include(x: number, y: number, z: number): void {
    for (let k = 0; k < ways.length; ++k) {
      const way = ways[k][0] * x + ways[k][1] * y + ways[k][2] * z;
      if (way < this.least[k]) {
        this.least[k] = way;
        this.ends[2 * k] = [x, y, z];
      }
      if (way > this.most[k]) {
        this.most[k] = way;
        this.ends[2 * k + 1] = [x, y, z];
      }
    }
  }

  get places(): Place[] {
    return this.ends;
  }
}

/** What several frames, spread over a run, say about all of it. */
export interface Overview {
  bodies: Box[]; // one for each entry of the header's bodies, over the run, in the coordinates of the file
  scaleEnds: Map<Colouring, number>; // upper ends of the scales
  outline: Place[]; // places of the bodies that reach furthest, in each frame looked at [m]
  lowest: number; // height along up that is lowest [m]
  largestFrame: number; // largest diagonal of the moving bodies at one moment [m]
}

/** Numbers of frames spread evenly over the run, the first and the last among them. */
export function spread(count: number, wanted: number): number[] {
  if (count <= wanted) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: wanted }, (_, i) => Math.round((i * (count - 1)) / (wanted - 1)));
}

export async function overviewOf(run: Run): Promise<Overview> {
  const { file } = run;
  const { header } = file;
  const overview: Overview = {
    bodies: header.bodies.map(() => new Box()),
    scaleEnds: new Map(),
    outline: [],
    lowest: Infinity,
    largestFrame: 0,
  };
  const wanted = Math.max(2, Math.min(most, Math.floor(mostBytes / file.frameBytes)));
  const values = new Float32Array(header.points);
  for (const number of spread(file.count, wanted)) {
    let frame: Frame;
    try {
      frame = await run.frames.frame(number);
    } catch {
      continue; // a damaged frame is told of when it is to be shown
    }
    extend(run, frame, overview);
    for (const { name, spans } of colourings) {
      if (name === 'body' || !available(file, name)) continue;
      pointValues(file, frame, name, values);
      overview.scaleEnds.set(name, Math.max(overview.scaleEnds.get(name) ?? 0, scaleEnd(values, spans)));
    }
  }
  return overview;
}

function extend(run: Run, frame: Frame, overview: Overview): void {
  const { header } = run.file;
  const [ux, uy, uz] = header.up;
  const moment = new Box();
  const reach = new Reach();
  header.bodies.forEach((body, b) => {
    const box = new Box();
    for (let i = body.firstPoint; i < body.firstPoint + body.points; ++i) {
      const x = frame.values[3 * i];
      const y = frame.values[3 * i + 1];
      const z = frame.values[3 * i + 2];
      box.include(x, y, z);
      if (body.obstacle) continue;
      reach.include(x, y, z);
      const height = ux * x + uy * y + uz * z;
      if (height < overview.lowest) overview.lowest = height;
    }
    overview.bodies[b].includeBox(box);
    if (!body.obstacle) moment.includeBox(box);
  });
  overview.outline.push(...reach.places);
  overview.largestFrame = Math.max(overview.largestFrame, moment.diagonal);
}
