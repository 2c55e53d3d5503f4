// Which corners of triangles share a normal. Corners at one place at rest share it as far as faces there meet at less than
// 40 degrees; a sharper meeting stays an edge. That is decided once, at rest; the normals follow the motion.
//
//   point     of the file; carries the position
//   corner    3 t + k, corner k of triangle t
//   crease    corners that share a normal
//   vertex    what the graphics card draws: a point with the normal of a crease

const sharpest = Math.cos((40 * Math.PI) / 180);

export interface SmoothSurface {
  index: Uint32Array; // vertices of the triangles
  point: Uint32Array; // of each vertex
  crease: Uint32Array; // of each vertex
  corner: Uint32Array; // crease of each corner
  creases: number;
  triangles: Uint32Array; // points of the triangles
  edges: Uint32Array; // vertices of the edges, two each, every edge once
  closed: boolean; // without a rim, all faces turned outwards: what is inside is never seen
}

/** Points at exactly the same place within one body get the same number. */
function places(rest: Float32Array, bodyOfPoint: Uint16Array | Uint32Array): Uint32Array {
  const points = rest.length / 3;
  const bits = new Int32Array(rest.buffer, rest.byteOffset, rest.length);
  const place = new Uint32Array(points);
  const size = 1 << Math.ceil(Math.log2(Math.max(2, points) * 2));
  const first = new Int32Array(size).fill(-1); // open addressing; holds points
  const same = (i: number, j: number): boolean =>
    rest[3 * i] === rest[3 * j] &&
    rest[3 * i + 1] === rest[3 * j + 1] &&
    rest[3 * i + 2] === rest[3 * j + 2] &&
    bodyOfPoint[i] === bodyOfPoint[j];
  for (let i = 0; i < points; ++i) {
    let hash = Math.imul(bits[3 * i], 73856093) ^ Math.imul(bits[3 * i + 1], 19349663) ^ Math.imul(bits[3 * i + 2], 83492791);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let slot = (hash ^ (hash >>> 13)) & (size - 1);
    while (first[slot] >= 0 && !same(first[slot], i)) slot = (slot + 1) & (size - 1);
    if (first[slot] < 0) first[slot] = i;
    place[i] = first[slot];
  }
  return place;
}

function unitNormals(triangles: Uint32Array, x: Float32Array): Float32Array {
  const n = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2]; // prettier-ignore
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2]; // prettier-ignore
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx; // prettier-ignore
    const size = Math.hypot(nx, ny, nz) || 1;
    n[t] = nx / size;
    n[t + 1] = ny / size;
    n[t + 2] = nz / size;
  }
  return n;
}

/** Six times the volume that is enclosed [m³]; negative where faces are turned inwards. */
function volume(triangles: Uint32Array, x: Float32Array): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    sum += x[a] * (x[b + 1] * x[c + 2] - x[b + 2] * x[c + 1]);
    sum += x[a + 1] * (x[b + 2] * x[c] - x[b] * x[c + 2]);
    sum += x[a + 2] * (x[b] * x[c + 1] - x[b + 1] * x[c]);
  }
  return sum;
}

export function smoothSurface(triangles: Uint32Array, rest: Float32Array, bodyOfPoint: Uint16Array | Uint32Array): SmoothSurface {
  const place = places(rest, bodyOfPoint);
  const normals = unitNormals(triangles, rest);
  const corners = triangles.length;

  const group = new Uint32Array(corners).map((_, i) => i); // of corners that share a normal, as a forest
  const root = (i: number): number => {
    while (group[i] !== i) i = group[i] = group[group[i]];
    return i;
  };
  const join = (i: number, j: number): void => {
    const [a, b] = [root(i), root(j)];
    if (a < b) group[b] = a;
    else group[a] = b;
  };

  const points = rest.length / 3;
  const seen = new Map<number, number>(); // edge between two places -> corner from which it leaves
  const edgeCorners: number[] = [];
  let open = 0; // edges that have no second face, or one turned the other way
  for (let c = 0; c < corners; ++c) {
    const next = c % 3 === 2 ? c - 2 : c + 1;
    const a = place[triangles[c]];
    const b = place[triangles[next]];
    const key = a < b ? a * points + b : b * points + a;
    const other = seen.get(key);
    if (other === undefined) {
      seen.set(key, c);
      edgeCorners.push(c, next);
      ++open;
      continue;
    }
    const aligned = place[triangles[other]] === a; // else the neighbour runs along the edge the other way, as it should
    open += aligned ? 1 : -1;
    const t = c - (c % 3);
    const s = other - (other % 3);
    const bend = normals[t] * normals[s] + normals[t + 1] * normals[s + 1] + normals[t + 2] * normals[s + 2];
    if (bend < sharpest) continue;
    const otherNext = other % 3 === 2 ? other - 2 : other + 1;
    join(c, aligned ? other : otherNext);
    join(next, aligned ? otherNext : other);
  }

  const corner = new Uint32Array(corners);
  const index = new Uint32Array(corners);
  const creaseOf = new Int32Array(corners).fill(-1);
  const vertexOf = new Map<number, number>(); // point and crease -> vertex
  const point: number[] = [];
  const crease: number[] = [];
  let creases = 0;
  for (let c = 0; c < corners; ++c) {
    const r = root(c);
    if (creaseOf[r] < 0) creaseOf[r] = creases++;
    corner[c] = creaseOf[r];
    const key = triangles[c] * corners + corner[c];
    let vertex = vertexOf.get(key);
    if (vertex === undefined) {
      vertex = point.length;
      vertexOf.set(key, vertex);
      point.push(triangles[c]);
      crease.push(corner[c]);
    }
    index[c] = vertex;
  }
  return {
    index,
    point: Uint32Array.from(point),
    crease: Uint32Array.from(crease),
    corner,
    creases,
    triangles,
    edges: Uint32Array.from(edgeCorners, (c) => index[c]),
    closed: open === 0 && volume(triangles, rest) > 0,
  };
}

/** Positions and normals of the vertices for positions of the points. `sums` has room for three numbers per crease. */
export function placeSurface(
  surface: SmoothSurface,
  x: Float32Array,
  positions: Float32Array,
  normals: Float32Array,
  sums: Float32Array,
): void {
  const { triangles, corner, point, crease } = surface;
  sums.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2]; // prettier-ignore
    const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2]; // prettier-ignore
    const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2]; // prettier-ignore
    // Twice the area times the normal: large triangles count more.
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx; // prettier-ignore
    for (let k = 0; k < 3; ++k) {
      const s = 3 * corner[t + k];
      sums[s] += nx;
      sums[s + 1] += ny;
      sums[s + 2] += nz;
    }
  }
  for (let s = 0; s < sums.length; s += 3) {
    const n = Math.sqrt(sums[s] * sums[s] + sums[s + 1] * sums[s + 1] + sums[s + 2] * sums[s + 2]) || 1;
    sums[s] /= n;
    sums[s + 1] /= n;
    sums[s + 2] /= n;
  }
  for (let v = 0, k = 0; v < point.length; ++v, k += 3) {
    const p = 3 * point[v];
    const s = 3 * crease[v];
    positions[k] = x[p];
    positions[k + 1] = x[p + 1];
    positions[k + 2] = x[p + 2];
    normals[k] = sums[s];
    normals[k + 1] = sums[s + 1];
    normals[k + 2] = sums[s + 2];
  }
}
