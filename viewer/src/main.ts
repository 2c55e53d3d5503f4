import uplotCss from 'uplot/dist/uPlot.min.css?inline';
import viewerCss from './panel/viewer.css?inline';
import { openPage } from './page';
import type { RunSource } from './data/run';
import type { Settings } from './panel/settings';
import { Viewer, type ViewerOptions } from './panel/viewer';

/** What a page has in hand of a mounted viewer. docs/viewer.md describes it. */
export interface Handle {
  ready: Promise<void>; // the first picture is there
  seek(time: number): Promise<void>; // [s]; fulfilled when the frame is drawn
  play(): void;
  pause(): void;
  step(frames: number): void;
  time(): number; // [s]
  duration(): number; // [s]
  playing(): boolean;
  settings(): Settings;
  set(part: Partial<Settings>): void;
  add(runs: RunSource[]): Promise<void>;
  memory(): { bytes: number; frames: number; capacity: number }; // of the cache of frames
  dispose(): void;
}

function addStyles(): void {
  if (document.getElementById('rubato-style')) return;
  const style = document.createElement('style');
  style.id = 'rubato-style';
  style.textContent = uplotCss + viewerCss;
  document.head.append(style);
}

function mount(element: HTMLElement, options: ViewerOptions = {}): Handle {
  addStyles();
  const viewer = new Viewer(element, options);
  const handle: Handle = {
    ready: viewer.ready,
    seek: (time) => viewer.seek(time),
    play: () => viewer.play(),
    pause: () => viewer.pause(),
    step: (frames) => viewer.step(frames),
    time: () => viewer.now,
    duration: () => viewer.duration,
    playing: () => viewer.playing,
    settings: () => ({ ...viewer.settings }),
    set: (part) => viewer.set(part),
    add: (runs) => viewer.open(runs),
    memory: () => ({ bytes: viewer.cache.bytes, frames: viewer.cache.size, capacity: viewer.cache.capacity }),
    dispose: () => viewer.dispose(),
  };
  window.Rubato.current = handle;
  return handle;
}

declare global {
  interface Window {
    Rubato: { mount: typeof mount; page(element: HTMLElement): Promise<void>; current: Handle | null };
  }
}

window.Rubato = { mount, page: (element) => openPage(element, mount), current: null };
