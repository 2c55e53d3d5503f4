import { Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { Box, type Overview, type Place } from '../../src/data/overview';
import type { Run } from '../../src/data/run';
import { arrange } from '../../src/picture/arrangement';
import { besideTurn } from '../../src/picture/framing';

/** A run whose body goes through a box, and what frames say about it. */
function moving(low: Place, high: Place): { run: Run; overview: Overview } {
  const box = Object.assign(new Box(), { low: [...low], high: [...high] });
  const run = { visible: true, file: { header: { up: [0, 1, 0], ground: 0, bodies: [{ obstacle: false }] } } } as unknown as Run;
  return { run, overview: { bodies: [box], scaleEnds: new Map(), outline: box.corners, lowest: low[1], largestFrame: 0.1 } };
}

function placed(all: { run: Run; overview: Overview }[], aspect = 16 / 9) {
  return arrange(all.map(({ run }) => run), all.map(({ overview }) => overview), 'side-by-side', aspect); // prettier-ignore
}

/** What a run covers across a picture that is seen from `besideTurn` to the right. */
function span(points: Vector3[]): [number, number] {
  const across = points.map((p) => p.x * Math.cos(besideTurn) - p.z * Math.sin(besideTurn));
  return [Math.min(...across), Math.max(...across)];
}

describe('runs beside each other', () => {
  it('keep apart by what each of them moves, from left to right', () => {
    const still = moving([-0.1, 0, -0.1], [0.1, 0.2, 0.1]);
    const far = moving([-0.4, 0, -0.1], [0.3, 0.8, 1.5]); // comes towards the camera
    for (const all of [[still, far, still], [far, far], [still, still, still]]) { // prettier-ignore
      const { outlines } = placed(all);
      const spans = outlines.map(span);
      for (let i = 1; i < spans.length; ++i) expect(spans[i][0]).toBeGreaterThan(spans[i - 1][1]);
    }
  });

  it('stand behind each other where they travel far', () => {
    const lane = moving([0, 0, 0], [5, 0.5, 0.5]);
    const { depthwise, offsets } = placed([lane, lane]);
    expect(depthwise).toBe(true);
    expect(offsets[1].z).toBeLessThan(offsets[0].z - 0.5);
    expect(offsets[1].x).toBe(offsets[0].x);
  });

  it('are where they are, where there is one', () => {
    const { offsets, outline } = placed([moving([1, 0, 0], [2, 1, 1])]);
    expect(offsets[0].length()).toBe(0);
    expect(outline).toHaveLength(8);
  });
});
