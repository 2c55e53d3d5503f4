import { colourings, type Colouring } from '../data/colouring';
import { layouts, type Layout } from '../picture/arrangement';
import { cameraPresets, type CameraPreset } from '../picture/framing';

/** All that a user can choose. `set` of the handle takes any part of it. */
export interface Settings {
  colour: Colouring;
  range: 'run' | 'frame'; // whether the scale of values is that of the whole run or of the frame shown
  logColour: boolean;
  wireframe: boolean;
  layout: Layout;
  camera: CameraPreset;
  follow: boolean; // the camera goes along with the bodies
  dark: boolean;
  speed: number; // simulated seconds per second
  loop: boolean;
  plots: boolean; // whether the plots are shown
  plot: string; // which tab
  quantity: string; // which of its choices
  logPlot: boolean;
  labels: boolean;
}

export const speeds = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4];

export function speedText(speed: number): string {
  return speed < 1 ? `1/${Math.round(1 / speed)}×` : `${speed}×`;
}

export function defaults(dark: boolean): Settings {
  return {
    colour: 'body', range: 'run', logColour: false, wireframe: false, layout: 'side-by-side', camera: 'three-quarter',
    follow: false, dark, speed: 1, loop: true, plots: true, plot: 'energy', quantity: '', logPlot: false, labels: true,
  }; // prettier-ignore
}

const allowed: Partial<Record<keyof Settings, readonly unknown[]>> = {
  colour: colourings.map(({ name }) => name),
  range: ['run', 'frame'],
  layout: layouts,
  camera: cameraPresets,
};

/** Throws if a setting has a value it cannot have. */
export function checked(part: Partial<Settings>): Partial<Settings> {
  for (const [key, value] of Object.entries(part)) {
    const values = allowed[key as keyof Settings];
    if (values && !values.includes(value)) throw new Error(`${key}: "${String(value)}" is none of ${values.join(', ')}.`);
  }
  return part;
}
