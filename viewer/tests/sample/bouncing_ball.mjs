// A ball that bounces and is squashed at every impact, by formula: after each bounce it keeps the share `keeps` of its
// energy. Together with a table of energies that fit the motion. No simulation; only something to look at.
import { chunk, fileHead, framePayload, indexAndTrailer } from './frame_bytes.mjs';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const g = 9.81; // [m/s²]
const mass = 1; // [kg]
const contactTime = 0.06; // of one impact [s]

/** A sphere of triangles: an octahedron of which each edge is cut into `n` pieces. 8 n² triangles. */
export function sphere(n, radius) {
  const points = [];
  const triangles = [];
  const known = new Map();
  const point = (x, y, z) => {
    const key = `${x},${y},${z}`;
    if (!known.has(key)) {
      const size = Math.hypot(x, y, z) / radius;
      known.set(key, points.length / 3);
      points.push(x / size, y / size, z / size);
    }
    return known.get(key);
  };
  for (const sx of [1, -1])
    for (const sy of [1, -1])
      for (const sz of [1, -1]) {
        const at = (i, j) => point(sx * (n - i - j), sy * i, sz * j);
        const flip = sx * sy * sz < 0;
        for (let i = 0; i < n; ++i)
          for (let j = 0; j < n - i; ++j) {
            const a = [at(i, j), at(i + 1, j), at(i, j + 1)];
            triangles.push(...(flip ? a.reverse() : a));
            if (i + j < n - 1) {
              const b = [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
              triangles.push(...(flip ? b.reverse() : b));
            }
          }
      }
  return { points: Float32Array.from(points), triangles: Uint32Array.from(triangles) };
}

/** Height of the lowest point, its speed, how much the ball is squashed (0 to 1), and the energies, at time t. */
export function motion(t, { drop, keeps }) {
  let height = drop; // [m]
  let fall = Math.sqrt((2 * height) / g);
  let at = t;
  if (at < fall) {
    const v = -g * at;
    return { y: height - 0.5 * g * at * at, v, squash: 0, energy: mass * g * height, elastic: 0 };
  }
  at -= fall;
  for (let bounce = 0; bounce < 4000; ++bounce) {
    const before = mass * g * height;
    const after = before * keeps;
    if (at < contactTime) {
      const s = at / contactTime;
      const energy = before + s * (after - before);
      const squash = Math.sin(Math.PI * s);
      return { y: 0, v: 0, squash: squash * Math.min(1, Math.sqrt(energy / 8)), energy, elastic: energy * squash };
    }
    at -= contactTime;
    height *= keeps;
    if (height < 1e-4) return { y: 0, v: 0, squash: 0, energy: after, elastic: 0 };
    fall = Math.sqrt((2 * height) / g);
    if (at < 2 * fall) {
      const v = g * (fall - at);
      return { y: height - 0.5 * v * v / g, v, squash: 0, energy: after, elastic: 0 };
    }
    at -= 2 * fall;
  }
  return { y: 0, v: 0, squash: 0, energy: 0, elastic: 0 };
}

const columns = [
  'step', 'time', 'h', 'kinetic', 'elastic', 'gravity', 'contact', 'other', 'total', 'target', 'alpha', 'dissipated', 'injected',
  'newton', 'linear', 'contacts', 'min_distance', 'px', 'py', 'pz', 'lx', 'ly', 'lz', 'residual', 'wall',
]; // prettier-ignore

export function statsText({ duration, h = 1 / 120, steers = false, ...ball }) {
  const lines = [columns.join(',')];
  const first = motion(0, ball).energy;
  for (let step = 0; step * h <= duration + 1e-9; ++step) {
    const t = step * h;
    const m = motion(t, ball);
    const contact = m.squash > 0 ? 0.04 * m.elastic : 0;
    const elastic = m.elastic - contact;
    const gravity = mass * g * m.y;
    const kinetic = Math.max(0, m.energy - m.elastic - gravity);
    const touching = m.squash > 0;
    lines.push([
      step, t, step ? h : '', kinetic, elastic, gravity, contact, 0, kinetic + elastic + gravity + contact,
      steers ? first : '', steers && step ? 0.02 * Math.sin(9 * t) * (touching ? 4 : 1) : '', 0, 0,
      step ? (touching ? 6 : 2) : '', step ? 0 : '', touching ? Math.round(80 * m.squash) : 0, touching ? 1e-4 : m.y,
      0, mass * m.v, 0, 0, 0, 0.01 * m.energy, step ? 1e-9 : '', 0.01 * step,
    ].join(',')); // prettier-ignore
  }
  return lines.join('\n') + '\n';
}

function frameValues(rest, t, radius, ball, out) { // rest: centred at the height drop + radius
  const points = rest.length / 3;
  const m = motion(t, ball);
  const flat = 1 - 0.38 * m.squash;
  const wide = 1 / Math.sqrt(flat);
  const wobble = m.squash > 0 ? 0 : 0.05 * Math.sqrt(m.energy / 10) * Math.sin(24 * t);
  for (let i = 0; i < points; ++i) {
    const [x, y, z] = [rest[3 * i], rest[3 * i + 1] - radius - ball.drop, rest[3 * i + 2]];
    const spin = 0.5 * t;
    const sx = x * wide * (1 - wobble / 2);
    const sz = z * wide * (1 - wobble / 2);
    out[3 * i] = sx * Math.cos(spin) - sz * Math.sin(spin);
    out[3 * i + 1] = m.y + radius * flat * (1 + wobble) + y * flat * (1 + wobble);
    out[3 * i + 2] = sx * Math.sin(spin) + sz * Math.cos(spin);
    out.set([0, m.v + y * Math.cos(24 * t), 0], 3 * points + 3 * i);
    const low = Math.max(0, 1 - (y + radius) / radius);
    out[6 * points + i] = 2e4 * m.squash * (0.12 + 0.6 * low * low + 0.5 * Math.exp(-(((y / radius) / 0.45) ** 2))) + 800 * Math.abs(wobble) * (1 + y / radius) + 5;
    out[7 * points + i] = m.squash > 0 && low > 0.93 ? 40 * m.squash * (low - 0.93) : 0;
  }
  return out;
}

/**
 * Writes a run folder: frames.rbt and stats.csv. `pieces`: edges of the octahedron are cut into so many. `ending`: "index"
 * for an orderly end, "none" for a run that was killed.
 */
export function writeRun(folder, options) {
  const { pieces = 16, frames = 60, duration = 4, scene = 'bouncing-ball', integrator = 'sample', radius = 0.25, drop = 0.9 } = options;
  const { keeps = 1, steers = false, nodes = 0, ending = 'index' } = options;
  mkdirSync(folder, { recursive: true });
  const { points, triangles } = sphere(pieces, radius);
  for (let i = 1; i < points.length; i += 3) points[i] += drop + radius;
  const count = points.length / 3;
  const quad = Float32Array.from([-2, 0, -2, 2, 0, -2, 2, 0, 2, -2, 0, 2]);
  const all = options.groundQuad ? Float32Array.from([...points, ...quad]) : points;
  const allTriangles = options.groundQuad ? Uint32Array.from([...triangles, count, count + 2, count + 1, count, count + 3, count + 2]) : triangles;
  const total = all.length / 3;
  const fields = [['position', 'm', 3], ['velocity', 'm/s', 3], ['stress', 'Pa', 1], ['contact', 'N', 1]]; // prettier-ignore
  const body = (name, obstacle, firstPoint, n, firstTriangle, t) => ({ name, obstacle, first_point: firstPoint, points: n, first_triangle: firstTriangle, triangles: t });
  const header = {
    format: 'rubato-frames', version: 1, program: '0.4.0', scene, integrator, step: 1 / 120, up: [0, 1, 0], ground: 0,
    points: total, triangles: allTriangles.length / 3,
    bodies: [
      body('ball', false, 0, count, 0, triangles.length / 3),
      ...(options.groundQuad ? [body('ground', true, count, 4, triangles.length / 3, 2)] : []),
    ],
    fields: fields.map(([name, unit, components]) => ({ name, unit, components })),
    nodes, tetrahedra: nodes ? 1 : 0,
    node_fields: fields.slice(0, 2).map(([name, unit, components]) => ({ name, unit, components })),
  }; // prettier-ignore
  const file = openSync(join(folder, 'frames.rbt'), 'w');
  let offset = 0;
  const append = (bytes) => {
    writeSync(file, bytes);
    offset += bytes.length;
  };
  append(fileHead());
  append(chunk('HEAD', Buffer.from(JSON.stringify(header))));
  append(chunk('SURF', Buffer.from('# left out in samples\n')));
  append(chunk('TRIS', allTriangles));
  append(chunk('REST', all));
  if (nodes) {
    append(chunk('TETS', Uint32Array.from([0, 1, 2, 3])));
    append(chunk('NRST', new Float32Array(3 * nodes)));
  }
  const places = [];
  const ballValues = new Float32Array(8 * count);
  const values = new Float32Array(8 * total);
  for (let frame = 0; frame < frames; ++frame) {
    const time = frames > 1 ? (frame * duration) / (frames - 1) : 0;
    frameValues(points, time, radius, { drop, keeps }, ballValues);
    for (const [start, size] of [[0, 3], [3, 3], [6, 1], [7, 1]]) { // prettier-ignore
      values.set(ballValues.subarray(start * count, (start + size) * count), start * total);
      if (options.groundQuad && start === 0) values.set(quad, 3 * count); // the ground stands still
    }
    const place = { frame: offset, node: 0, time };
    append(chunk('FRAM', framePayload(time, frame * 4, values)));
    if (nodes) {
      place.node = offset;
      append(chunk('NODE', framePayload(time, frame * 4, new Float32Array(6 * nodes))));
    }
    places.push(place);
  }
  if (ending === 'index') append(indexAndTrailer(offset, places));
  closeSync(file);
  writeFileSync(join(folder, 'stats.csv'), statsText({ duration, steers, drop, keeps }));
  return { header, places, bytes: offset };
}
