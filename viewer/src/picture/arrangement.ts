import { Quaternion, Vector3 } from 'three';
import { Box, type Overview } from '../data/overview';
import type { Run } from '../data/run';
import { besideTurn } from './framing';

export type Layout = 'side-by-side' | 'split' | 'overlaid';
export const layouts: Layout[] = ['side-by-side', 'split', 'overlaid'];

/** Where runs stand. Coordinates of the picture have y up, whatever up is in the files. */
export interface Arrangement {
  offsets: Vector3[]; // of each run [m]
  boxes: Box[]; // that each run fills over time, offset included
  outlines: Vector3[][]; // of each run, offset included: points that have to be in the picture for all of it to be
  extent: Box; // of all runs that are visible
  outline: Vector3[]; // of all runs that are visible
  ground: number; // height [m]
  depthwise: boolean; // runs stand behind each other rather than beside
}

/** Turns coordinates of the file into those of the picture. */
export function upright(run: Run): Quaternion {
  return new Quaternion().setFromUnitVectors(new Vector3(...run.file.header.up).normalize(), new Vector3(0, 1, 0));
}

function turned(box: Box, rotation: Quaternion): Box {
  const out = new Box();
  if (box.empty) return out;
  for (const corner of box.corners) {
    const p = new Vector3(...corner).applyQuaternion(rotation);
    out.include(p.x, p.y, p.z);
  }
  return out;
}

function groundHeight(run: Run, overview: Overview): number {
  return run.file.header.ground ?? (Number.isFinite(overview.lowest) ? overview.lowest : 0);
}

/** Obstacles that are nothing but the level ground: the ground of the picture is drawn in their place. */
export function groundBodies(run: Run, overview: Overview): boolean[] {
  const rotation = upright(run);
  const { ground, bodies } = run.file.header;
  return bodies.map((body, b) => {
    const box = turned(overview.bodies[b], rotation);
    const level = body.obstacle && !box.empty && box.size(1) < 1e-3 * Math.max(box.size(0), box.size(2));
    return level && ground !== null && Math.abs(box.low[1] - ground) < 1e-3 * box.diagonal;
  });
}

/** The box that matters for looking: the bodies, and obstacles that are not many times larger; and points that span it. */
function boxOf(run: Run, overview: Overview): { box: Box; points: Vector3[] } {
  const rotation = upright(run);
  const box = new Box();
  const { bodies } = run.file.header;
  const boxes = overview.bodies.map((body) => turned(body, rotation));
  const points = overview.outline.map((place) => new Vector3(...place).applyQuaternion(rotation));
  bodies.forEach((body, b) => !body.obstacle && box.includeBox(boxes[b]));
  const alone = box.empty;
  const limit = 3 * box.diagonal;
  const isGround = groundBodies(run, overview);
  bodies.forEach((body, b) => {
    if (body.obstacle && !isGround[b] && (alone || boxes[b].diagonal < limit)) {
      box.includeBox(boxes[b]);
      points.push(...boxes[b].corners.map((corner) => new Vector3(...corner)));
    }
  });
  // The ground is looked at too, unless bodies fly high above it: frames between those that were read may touch it.
  const { ground } = run.file.header;
  if (ground !== null && !box.empty && box.low[1] > ground && box.low[1] - ground < box.diagonal) {
    box.low[1] = ground;
    points.push(new Vector3(box.centre(0), ground, box.centre(2)));
  }
  return { box, points };
}

/** `aspect`: width of the picture over its height. */
export function arrange(runs: Run[], overviews: Overview[], layout: Layout, aspect: number): Arrangement {
  const looked = runs.map((run, i) => boxOf(run, overviews[i]));
  const own = looked.map(({ box }) => box);
  const visible = runs.map((run) => run.visible);
  const all = new Box();
  own.forEach((box, i) => visible[i] && all.includeBox(box));
  const count = visible.filter(Boolean).length;
  const offsets = runs.map(() => new Vector3());

  // Bodies that travel far along x stand better behind each other, like lanes of a track.
  const depthwise = layout === 'side-by-side' && count > 1 && all.size(0) > 2.5 * Math.max(all.size(1), all.size(2));
  if (layout === 'side-by-side' && count > 1) {
    // What each needs across the picture, in which things that come nearer are seen further to the left.
    const across = depthwise ? new Vector3(0, 0, -1) : new Vector3(1, 0, -Math.tan(besideTurn));
    const reaches = looked.map(({ points }) => points.map((point) => point.dot(across)));
    const spans = reaches.map((reach) => ({ least: Math.min(...reach), most: Math.max(...reach) }));
    const widths = spans.filter((_, i) => visible[i]).map(({ least, most }) => most - least);
    // A wide picture has room to keep them apart.
    const free = (0.9 * aspect * all.size(1) - widths.reduce((sum, width) => sum + width, 0)) / (count - 1);
    const gap = Math.max(0.12 * Math.max(...widths), depthwise ? 0 : Math.min(free, 0.6 * all.size(1)));
    let end = 0; // of those that stand already
    const places = runs.map((_, i) => {
      if (!visible[i]) return 0;
      const place = end - spans[i].least;
      end += spans[i].most - spans[i].least + gap;
      return place;
    });
    runs.forEach((_, i) => visible[i] && offsets[i].setComponent(depthwise ? 2 : 0, depthwise ? -places[i] : places[i]));
    const middle = offsets.filter((_, i) => visible[i]).reduce((sum, offset) => sum.addScaledVector(offset, 1 / count), new Vector3());
    offsets.forEach((offset, i) => visible[i] && offset.sub(middle));
  }
  const boxes = own.map((box, i) => box.moved(offsets[i].x, offsets[i].y, offsets[i].z));
  const extent = new Box();
  boxes.forEach((box, i) => visible[i] && extent.includeBox(box));
  if (extent.empty) extent.includeBox(own[0] ?? new Box());
  if (extent.empty) extent.includeBox(Object.assign(new Box(), { low: [-1, 0, -1], high: [1, 1, 1] }));
  const outlines = looked.map(({ points }, i) => points.map((point) => point.add(offsets[i])));
  const outline = outlines.flatMap((points, i) => (visible[i] ? points : []));
  if (outline.length === 0) outline.push(...extent.corners.map((corner) => new Vector3(...corner)));
  const grounds = runs.map((run, i) => groundHeight(run, overviews[i])).filter((_, i) => visible[i]);
  const ground = grounds.length ? Math.min(...grounds) : 0;
  return { offsets, boxes, outlines, extent, outline, ground, depthwise };
}
