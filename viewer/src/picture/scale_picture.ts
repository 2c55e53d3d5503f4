import { mapColour } from '../data/colour_map';
import type { ColouringEntry } from '../data/colouring';
import { prefixFor } from '../data/quantity_text';

const family = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';

/** Draws the scale of colours into the upper right corner of a picture. `high`: its upper end, in SI units. */
export function drawScale(
  ink: CanvasRenderingContext2D,
  entry: ColouringEntry,
  high: number,
  style: { dark: boolean; size: number },
  width: number,
): void {
  const { size, dark } = style;
  const [factor, prefix] = prefixFor(high, entry.unit);
  const length = 14 * size;
  const left = width - length - 2 * size;
  const top = 1.4 * size;
  ink.save();
  ink.textBaseline = 'top';
  ink.font = `600 ${size}px ${family}`;
  ink.fillStyle = dark ? '#e8ecf3' : '#1c2230';
  ink.fillText(`${entry.title} [${prefix}${entry.unit}]`, left, top);
  const band = ink.createLinearGradient(left, 0, left + length, 0);
  for (let i = 0; i <= 16; ++i) band.addColorStop(i / 16, `rgb(${mapColour(i / 16).map(Math.round).join(',')})`);
  ink.fillStyle = band;
  ink.beginPath();
  ink.roundRect(left, top + 1.6 * size, length, 0.7 * size, 0.35 * size);
  ink.fill();
  ink.font = `400 ${0.85 * size}px ${family}`;
  ink.fillStyle = dark ? '#aeb7c6' : '#4d5667';
  [0, 0.5, 1].forEach((share, k) => {
    ink.textAlign = (['left', 'center', 'right'] as const)[k];
    const text = String(Number(((share * high) / factor).toPrecision(3)));
    ink.fillText(share === 1 && entry.spans ? `≥ ${text}` : text, left + share * length, top + 2.7 * size);
  });
  ink.restore();
}
