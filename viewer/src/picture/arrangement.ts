import { Quaternion, Vector3 } from 'three';
import { Box, type Overview } from '../data/overview';
import type { Run } from '../data/run';

export type Layout = 'side-by-side' | 'split' | 'overlaid';
export const layouts: Layout[] = ['side-by-side', 'split', 'overlaid'];

/** Where runs stand. Coordinates of the picture have y up, whatever up is in the files. */
export interface Arrangement {
  offsets: Vector3[]; // of each run [m]
  boxes: Box[]; // that each run fills over time, offset included
  extent: Box; // of all runs that are visible
  outline: Vector3[]; // points that have to be in the picture for all of it to be
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

/** The box that matters for looking: the bodies, and obstacles that are not many times larger; and boxes that fill it. */
function boxOf(run: Run, overview: Overview): { box: Box; parts: Box[] } {
  const rotation = upright(run);
  const box = new Box();
  const { bodies } = run.file.header;
  const boxes = overview.bodies.map((body) => turned(body, rotation));
  // Where bodies go round a corner, their boxes moment by moment leave out much that the box of all moments holds.
  const parts = overview.moments.map((moment) => turned(moment, rotation));
  bodies.forEach((body, b) => !body.obstacle && box.includeBox(boxes[b]));
  const alone = box.empty;
  const limit = 3 * box.diagonal;
  const isGround = groundBodies(run, overview);
  bodies.forEach((body, b) => {
    if (body.obstacle && !isGround[b] && (alone || boxes[b].diagonal < limit)) {
      box.includeBox(boxes[b]);
      parts.push(boxes[b]);
    }
  });
  // The ground is looked at too, unless bodies fly high above it: frames between those that were read may touch it.
  const { ground } = run.file.header;
  if (ground !== null && !box.empty && box.low[1] > ground && box.low[1] - ground < box.diagonal) {
    box.low[1] = ground;
    parts.push(Object.assign(new Box(), { low: [box.centre(0), ground, box.centre(2)], high: [box.centre(0), ground, box.centre(2)] }));
  }
  return { box, parts };
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
    const axis = depthwise ? 2 : 0;
    const width = all.size(axis);
    const least = 0.22 * Math.max(width, 0.4 * all.size(1));
    // A wide picture has room to keep them apart.
    const room = (0.55 * aspect * all.size(1) - count * width) / (count - 1);
    const pitch = width + Math.max(least, depthwise ? 0 : Math.min(room, Math.max(0.9 * width, 0.45 * all.size(1))));
    let place = (-(count - 1) / 2) * pitch;
    runs.forEach((_, i) => {
      if (!visible[i]) return;
      offsets[i].setComponent(axis, depthwise ? -place : place);
      place += pitch;
    });
  }
  const boxes = own.map((box, i) => box.moved(offsets[i].x, offsets[i].y, offsets[i].z));
  const extent = new Box();
  boxes.forEach((box, i) => visible[i] && extent.includeBox(box));
  if (extent.empty) extent.includeBox(own[0] ?? new Box());
  if (extent.empty) extent.includeBox(Object.assign(new Box(), { low: [-1, 0, -1], high: [1, 1, 1] }));
  const outline = looked.flatMap(({ parts }, i) =>
    visible[i] ? parts.flatMap((part) => part.corners.map((corner) => new Vector3(...corner).add(offsets[i]))) : [],
  );
  if (outline.length === 0) outline.push(...extent.corners.map((corner) => new Vector3(...corner)));
  const grounds = runs.map((run, i) => groundHeight(run, overviews[i])).filter((_, i) => visible[i]);
  const ground = grounds.length ? Math.min(...grounds) : 0;
  return { offsets, boxes, extent, outline, ground, depthwise };
}
