import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeRun } from '../sample/bouncing_ball.mjs';

export const dist = process.env.RUBATO_VIEWER_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));

/** Three runs of one ball that keep more and more of their energy, in a folder that is removed at the end. */
export function threeRuns() {
  const root = mkdtempSync(join(tmpdir(), 'rubato-viewer-'));
  const run = (name, options) => {
    const folder = join(root, name);
    writeRun(folder, { pieces: 10, frames: 61, duration: 3, integrator: name, ...options });
    return { name, folder };
  };
  const runs = [
    run('implicit-euler', { keeps: 0.3, frames: 31 }), // half as many frames as the others
    run('bdf2', { keeps: 0.72 }),
    run('a-search', { keeps: 0.995, steers: true, groundQuad: true }),
  ];
  return { root, runs, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** stats.csv as the numbers of each row by column, read in another way than the viewer does. */
export function table(text) {
  const [head, ...lines] = text.trim().split('\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell === '' ? null : Number(cell)])));
}

export function nearest(rows, time) {
  return rows.reduce((best, row) => (Math.abs(row.time - time) < Math.abs(best.time - time) ? row : best));
}
