import { available, colourings } from '../data/colouring';
import { cameraPresets } from '../picture/framing';
import type { KeyAction } from './keys';
import { speeds } from './settings';
import type { Viewer } from './viewer';

/** What every key does. */
export function keyActions(viewer: Viewer): KeyAction[] {
  const key = (...names: string[]) => (event: KeyboardEvent): boolean => names.includes(event.key); // prettier-ignore
  const arrow = (name: string, shift: boolean) => (event: KeyboardEvent): boolean => event.key === name && event.shiftKey === shift; // prettier-ignore
  const faster = (by: number): void => {
    const at = speeds.indexOf(viewer.settings.speed);
    viewer.set({ speed: speeds[Math.min(speeds.length - 1, Math.max(0, at + by))] });
  };
  const nextColouring = (): void => {
    const possible = colourings.filter(({ name }) => viewer.runs.some((run) => available(run.file, name)));
    const at = possible.findIndex(({ name }) => name === viewer.settings.colour);
    if (possible.length) viewer.set({ colour: possible[(at + 1) % possible.length].name });
  };
  const { settings } = viewer;
  return [
    { keys: 'space', does: 'play or pause', matches: key(' '), act: () => (viewer.playing ? viewer.pause() : viewer.play()) },
    { keys: '← →', does: 'one frame back or on', matches: arrow('ArrowRight', false), act: () => viewer.step(1) },
    { keys: '', does: '', matches: arrow('ArrowLeft', false), act: () => viewer.step(-1) },
    { keys: 'Shift ← →', does: 'ten frames back or on', matches: arrow('ArrowRight', true), act: () => viewer.step(10) },
    { keys: '', does: '', matches: arrow('ArrowLeft', true), act: () => viewer.step(-10) },
    { keys: 'Home End', does: 'to the start or the end', matches: key('Home'), act: () => void viewer.seek(0) },
    { keys: '', does: '', matches: key('End'), act: () => void viewer.seek(viewer.duration) },
    { keys: '+ −', does: 'faster or slower', matches: key('+', '='), act: () => faster(1) },
    { keys: '', does: '', matches: key('-', '_'), act: () => faster(-1) },
    { keys: '1 to 4', does: 'camera: three-quarter, front, side, top', matches: key('1', '2', '3', '4'), act: () => undefined },
    { keys: 'f', does: 'fit everything into the picture', matches: key('f'), act: () => viewer.picture.fit() },
    { keys: 'c', does: 'next colouring', matches: key('c'), act: nextColouring },
    { keys: 'w', does: 'edges of triangles', matches: key('w'), act: () => viewer.set({ wireframe: !settings.wireframe }) },
    { keys: 'p', does: 'plots', matches: key('p'), act: () => viewer.set({ plots: !settings.plots }) },
    { keys: 'd', does: 'dark or light', matches: key('d'), act: () => viewer.set({ dark: !settings.dark }) },
    { keys: '?', does: 'these keys', matches: key('?'), act: () => viewer.showHelp() },
  ].flatMap((action) =>
    action.keys === '1 to 4'
      ? cameraPresets.map((camera, i) => ({
          ...action,
          keys: i === 0 ? action.keys : '',
          matches: key(String(i + 1)),
          act: () => (settings.camera === camera ? viewer.picture.look(true) : viewer.set({ camera })),
        }))
      : [action],
  );
}
