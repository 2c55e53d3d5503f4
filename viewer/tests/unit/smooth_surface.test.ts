import { describe, expect, it } from 'vitest';
import { placeSurface, smoothSurface } from '../../src/picture/smooth_surface';
import { sphere } from '../sample/bouncing_ball.mjs';

function normalsOf(triangles: Uint32Array, rest: Float32Array): { surface: ReturnType<typeof smoothSurface>; normals: Float32Array } {
  const surface = smoothSurface(triangles, rest, new Uint32Array(rest.length / 3));
  const positions = new Float32Array(3 * surface.point.length);
  const normals = new Float32Array(3 * surface.point.length);
  placeSurface(surface, rest, positions, normals, new Float32Array(3 * surface.creases));
  return { surface, normals };
}

describe('a smooth surface', () => {
  it('has one vertex for each point where nothing is sharp, and normals that point outwards', () => {
    const { points, triangles } = sphere(12, 0.5);
    const { surface, normals } = normalsOf(triangles, points);
    expect(surface.point.length).toBe(points.length / 3);
    surface.point.forEach((p, v) => {
      const out = [0, 1, 2].map((k) => points[3 * p + k] / 0.5);
      expect(out[0] * normals[3 * v] + out[1] * normals[3 * v + 1] + out[2] * normals[3 * v + 2]).toBeGreaterThan(0.985);
    });
    expect(surface.edges.length / 2).toBe((triangles.length / 3) * 1.5);
    expect(surface.closed).toBe(true);
    expect(normalsOf(triangles.slice(3), points).surface.closed).toBe(false);
    expect(normalsOf(triangles.slice().reverse(), points).surface.closed).toBe(false);
  });

  it('keeps the edges of a cube sharp', () => {
    const rest = Float32Array.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]);
    const quads = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [2, 3, 7, 6], [0, 4, 7, 3], [1, 2, 6, 5]]; // prettier-ignore
    const triangles = Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
    const { surface, normals } = normalsOf(triangles, rest);
    expect(surface.point.length).toBe(24);
    for (let v = 0; v < 24; ++v) expect(Math.max(...[0, 1, 2].map((k) => Math.abs(normals[3 * v + k])))).toBeCloseTo(1, 6);
  });

  it('shares normals across points that coincide at rest, as at the seam of a texture', () => {
    // Two triangles in one plane, bent by 20 degrees along their common edge, without a common point.
    const lift = Math.tan((20 * Math.PI) / 180);
    const rest = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, lift, 1, 1, 0, 0]);
    const { surface, normals } = normalsOf(Uint32Array.from([0, 1, 2, 3, 4, 5]), rest);
    expect(surface.point.length).toBe(6);
    expect(surface.creases).toBe(4);
    const at = (point: number): number[] => {
      const v = surface.point.indexOf(point);
      return [...normals.subarray(3 * v, 3 * v + 3)];
    };
    expect(at(0)).toEqual(at(3));
    expect(at(1)).toEqual(at(5));
  });
});
