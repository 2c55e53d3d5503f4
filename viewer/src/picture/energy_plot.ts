import { mixedColours } from '../data/colour_map';
import { prefixFor } from '../data/quantity_text';
import type { Run } from '../data/run';

const family = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

/** Draws the total energy of each run over time at the foot of a picture, with a cursor at `time` [s]. */
export function drawEnergyPlot(
  ink: CanvasRenderingContext2D,
  runs: Run[],
  time: number,
  style: { dark: boolean; size: number },
  width: number,
  height: number,
): void {
  const curves = runs.flatMap((run) => {
    const total = run.stats.column('total');
    return total ? [{ run, total }] : [];
  });
  if (curves.length === 0) return;
  const { size, dark } = style;
  const area = { left: 5 * size, right: width - 2.4 * size, top: 0.8 * height, bottom: height - 2.6 * size };
  const last = Math.max(...runs.map(({ duration }) => duration)) || 1;
  let [low, high] = [0, 0];
  for (const { total } of curves) for (const value of total) [low, high] = [Math.min(low, value), Math.max(high, value)];
  high += 0.05 * (high - low) || 1;
  const x = (t: number): number => area.left + (t / last) * (area.right - area.left);
  const y = (value: number): number => area.bottom - ((value - low) / (high - low)) * (area.bottom - area.top);

  ink.save();
  ink.font = `400 ${0.82 * size}px ${family}`;
  ink.strokeStyle = dark ? 'rgba(220,230,250,0.22)' : 'rgba(28,34,48,0.2)';
  ink.fillStyle = dark ? '#aeb7c6' : '#4d5667';
  ink.lineWidth = Math.max(1, size / 14);
  ink.beginPath();
  ink.moveTo(area.left, area.top);
  ink.lineTo(area.left, area.bottom);
  ink.lineTo(area.right, area.bottom);
  ink.stroke();
  const [factor, prefix] = prefixFor(high, 'J');
  ink.textBaseline = 'bottom';
  ink.fillText(`total energy [${prefix}J]`, area.left, area.top - 0.3 * size);
  ink.textAlign = 'right';
  ink.textBaseline = 'middle';
  const most = high / (1 + 0.05);
  for (const value of [low, most]) ink.fillText(String(Number((value / factor).toPrecision(3))), area.left - 0.5 * size, y(value));
  ink.textBaseline = 'top';
  for (const share of [0, 0.5, 1]) {
    ink.textAlign = (['left', 'center', 'right'] as const)[2 * share];
    ink.fillText(`${Number((share * last).toPrecision(3))} s`, x(share * last), area.bottom + 0.5 * size);
  }

  for (const { run, total } of curves) {
    const colour = runs.length > 1 ? run.colour : dark ? '#5fb0e8' : '#0072b2';
    ink.strokeStyle = dark ? mixedColours(colour, '#ffffff', 0.2) : colour;
    ink.lineWidth = Math.max(1.5, size / 6);
    ink.lineJoin = 'round';
    ink.beginPath();
    total.forEach((value, row) => Number.isFinite(value) && ink.lineTo(x(run.stats.times[row]), y(value)));
    ink.stroke();
    const row = run.stats.rowNearest(time);
    ink.fillStyle = ink.strokeStyle;
    ink.beginPath();
    ink.arc(x(run.stats.times[row]), y(total[row]), 0.42 * size, 0, 2 * Math.PI);
    ink.fill();
  }
  ink.strokeStyle = dark ? 'rgba(232,236,243,0.55)' : 'rgba(28,34,48,0.45)';
  ink.lineWidth = Math.max(1, size / 14);
  ink.beginPath();
  ink.moveTo(x(time), area.top);
  ink.lineTo(x(time), area.bottom);
  ink.stroke();
  ink.restore();
}
