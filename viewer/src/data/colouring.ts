import type { Frame, FrameFile } from './frame_file';

/** What colours can mean. */
export type Colouring = 'body' | 'displacement' | 'speed' | 'stress' | 'contact';

export interface ColouringEntry {
  name: Colouring;
  title: string;
  unit: string; // empty: no scale is shown
  spans: boolean; // values span orders of magnitude: a few peaks must not darken the rest, and logarithms help
}

export const colourings: ColouringEntry[] = [
  { name: 'body', title: 'Body', unit: '', spans: false },
  { name: 'displacement', title: 'Displacement', unit: 'm', spans: false },
  { name: 'speed', title: 'Speed', unit: 'm/s', spans: false },
  { name: 'stress', title: 'Stress', unit: 'Pa', spans: true },
  { name: 'contact', title: 'Contact force', unit: 'N', spans: true },
];

const fieldOf: Record<Colouring, string> = {
  body: '',
  displacement: 'position',
  speed: 'velocity',
  stress: 'stress',
  contact: 'contact',
};

export function available(file: FrameFile, colouring: Colouring): boolean {
  return colouring === 'body' || file.field(fieldOf[colouring]) !== undefined;
}

/** The value of every point of a frame, in SI units. False: the file does not hold it. */
export function pointValues(file: FrameFile, frame: Frame, colouring: Colouring, out: Float32Array): boolean {
  const field = file.field(fieldOf[colouring]);
  if (!field) {
    out.fill(0);
    return false;
  }
  const { values } = frame;
  const { rest } = file;
  const points = file.header.points;
  for (let i = 0, k = field.start; i < points; ++i, k += field.components) {
    if (field.components === 1) out[i] = values[k];
    else {
      const from = colouring === 'displacement' ? 3 * i : -1;
      const x = values[k] - (from < 0 ? 0 : rest[from]);
      const y = values[k + 1] - (from < 0 ? 0 : rest[from + 1]);
      const z = values[k + 2] - (from < 0 ? 0 : rest[from + 2]);
      out[i] = Math.sqrt(x * x + y * y + z * z);
    }
  }
  return true;
}

/**
 * The upper end of a scale. Stress and contact force have peaks at single points, which would leave everything else
 * dark, so one point in two hundred may lie above it; of contact forces those that are zero do not count.
 */
export function scaleEnd(values: Float32Array, spans: boolean): number {
  let largest = 0;
  for (const value of values) if (value > largest && value < Infinity) largest = value;
  if (!spans || values.length < 200) return largest;
  const positive = values.filter((value) => value > 0 && value < Infinity).sort();
  return positive.length ? positive[Math.floor(0.995 * (positive.length - 1))] : largest;
}
