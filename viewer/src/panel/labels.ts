import type { PerspectiveCamera, Vector3 } from 'three';
import { mixedColours } from '../data/colour_map';
import { belowZero, shareText } from '../data/quantity_text';
import type { Run } from '../data/run';
import type { Pane, Stage } from '../picture/stage';

const family = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

/** A colour of a run as text: dark enough on light, light enough on dark. */
export function readable(colour: string, dark: boolean): string {
  return dark ? mixedColours(colour, '#ffffff', 0.35) : mixedColours(colour, '#101420', 0.28);
}

/** Where what points span appears in a pane: the middle of its lower edge, and its width [pixels]. */
function footOf(points: Vector3[], camera: PerspectiveCamera, pane: Pane): { x: number; y: number; width: number } | null {
  let [left, right, bottom] = [Infinity, -Infinity, -Infinity];
  for (const point of points) {
    const p = point.clone().project(camera);
    if (p.z > 1) return null; // behind the camera
    left = Math.min(left, p.x);
    right = Math.max(right, p.x);
    bottom = Math.max(bottom, -p.y);
  }
  const half = pane.width / 2;
  return { x: pane.x + half * (1 + (left + right) / 2), y: pane.y + (pane.height / 2) * (1 + bottom), width: half * (right - left) };
}

const shareWords = (kept: number): string => (belowZero(kept) ? `energy ${shareText(kept)}` : `${shareText(kept)} of its energy`);

interface LabelStyle {
  dark: boolean;
  size: number; // of the letters [pixels]
}

/** Writes the name of each run under it, with the share of its energy that it still has. */
export function drawLabels(ink: CanvasRenderingContext2D, stage: Stage, runs: Run[], time: number, style: LabelStyle): void {
  const shown = stage.visibleRuns();
  if (runs.length < 2 || shown.length === 0) return;
  const panes = stage.panes();
  const split = panes.length > 1;
  if (split) drawBorders(ink, panes, style.dark);
  const overlaid = !split && stage.layout === 'overlaid';
  let { size } = style;
  let room = Infinity; // for each [pixels]
  const feet = shown.map((i) => footOf(stage.arrangement.outlines[i], stage.camera, panes[0]));
  const lowest = Math.max(...feet.map((foot) => foot?.y ?? -Infinity));
  if (!split && !overlaid && shown.length > 1) {
    // Names must not run into each other.
    const gaps = feet.slice(1).map((foot, k) => Math.abs((foot?.x ?? 0) - (feet[k]?.x ?? 0)));
    ink.font = `600 ${size}px ${family}`;
    const widest = Math.max(...shown.map((i) => ink.measureText(runs[i].name).width));
    room = Math.min(...gaps) - 10;
    if (widest > room && room > 0) size = Math.max(9, (size * room) / widest);
  }
  const share = (i: number): number => runs[i].energyKept(runs[i].stats.rowNearest(time));
  ink.font = `400 ${0.86 * size}px ${family}`;
  const wordy = shown.every((i) => ink.measureText(shareWords(share(i))).width < room); // all of them, or none
  shown.forEach((i, k) => {
    const pane = split ? panes[k] : panes[0];
    let place: { x: number; y: number } | null;
    if (split) place = { x: pane.x + pane.width / 2, y: pane.y + pane.height - 4.4 * size };
    else if (overlaid) place = { x: pane.x + (pane.width * (k + 1)) / (shown.length + 1), y: pane.y + pane.height - 4.4 * size };
    else place = feet[k];
    // In one line, where they would nearly be.
    if (place && !split && !overlaid && lowest - place.y < 0.12 * pane.height) place = { x: place.x, y: lowest };
    if (place) drawLabel(ink, runs[i], time, place.x, Math.min(place.y + 0.7 * size, pane.y + pane.height - 3.6 * size), size, wordy, style.dark);
  });
}

function drawBorders(ink: CanvasRenderingContext2D, panes: Pane[], dark: boolean): void {
  ink.fillStyle = dark ? 'rgba(220, 230, 250, 0.14)' : 'rgba(28, 34, 48, 0.13)';
  for (const { x, y, width, height } of panes) {
    if (x > 0) ink.fillRect(Math.round(x), y, 1, height);
    if (y > 0) ink.fillRect(x, Math.round(y), width, 1);
  }
}

function drawLabel(ink: CanvasRenderingContext2D, run: Run, time: number, x: number, y: number, size: number, wordy: boolean, dark: boolean): void {
  const kept = run.energyKept(run.stats.rowNearest(time));
  ink.save();
  ink.textAlign = 'center';
  ink.textBaseline = 'top';
  ink.font = `600 ${size}px ${family}`;
  ink.fillStyle = readable(run.colour, dark);
  ink.fillText(run.name, x, y);
  if (Number.isFinite(kept)) {
    const width = 5.2 * size;
    const height = Math.max(3, 0.3 * size);
    const top = y + 1.5 * size;
    ink.fillStyle = dark ? 'rgba(255,255,255,0.16)' : 'rgba(20,26,40,0.12)';
    ink.beginPath();
    ink.roundRect(x - width / 2, top, width, height, height / 2);
    ink.fill();
    ink.fillStyle = run.colour;
    ink.beginPath();
    ink.roundRect(x - width / 2, top, Math.max(height, width * Math.min(1, Math.max(0, kept))), height, height / 2);
    ink.fill();
    ink.font = `400 ${0.86 * size}px ${family}`;
    ink.fillStyle = dark ? '#aeb7c6' : '#4d5667';
    ink.fillText(wordy ? shareWords(kept) : shareText(kept), x, top + height + 0.4 * size);
  }
  ink.restore();
}

/** Writes the time, and the name of a run that is alone, into a corner of a picture. */
export function drawCaption(ink: CanvasRenderingContext2D, runs: Run[], time: string, style: LabelStyle): void {
  const { size } = style;
  ink.save();
  ink.textBaseline = 'top';
  ink.font = `600 ${1.1 * size}px ${family}`;
  ink.fillStyle = style.dark ? '#e8ecf3' : '#1c2230';
  const { scene } = runs[0].file.header;
  ink.fillText(runs.length === 1 ? `${scene ? scene + ' · ' : ''}${runs[0].name}` : scene, 1.6 * size, 1.4 * size);
  ink.font = `400 ${size}px ${family}`;
  ink.fillStyle = style.dark ? '#aeb7c6' : '#4d5667';
  ink.fillText(time, 1.6 * size, 3 * size);
  ink.restore();
}
