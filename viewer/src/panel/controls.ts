import { available, colourings } from '../data/colouring';
import type { Run } from '../data/run';
import { layouts } from '../picture/arrangement';
import { cameraPresets } from '../picture/framing';
import { choice, element, iconButton } from './element';
import type { Settings } from './settings';

const layoutTitles = { 'side-by-side': 'Side by side', split: 'Split', overlaid: 'Overlaid' };
const cameraTitles = { 'three-quarter': 'Three-quarter', front: 'Front', side: 'Side', top: 'Top' };

export interface ControlActions {
  change(part: Partial<Settings>): void;
  fit(): void;
  open(): void;
  help(): void;
}

/** The choices of how things are shown. */
export class Controls {
  readonly root = element('div', { class: 'rb-controls', role: 'toolbar', 'aria-label': 'View' });
  private readonly colour: ReturnType<typeof choice>;
  private readonly layout: ReturnType<typeof choice>;
  private readonly camera: ReturnType<typeof choice>;
  private readonly toggles: [keyof Settings, HTMLButtonElement][];

  constructor(settings: Settings, actions: ControlActions) {
    const toggle = (key: 'wireframe' | 'follow' | 'dark' | 'plots', name: 'edges' | 'follow' | 'dark' | 'plots', label: string) =>
      iconButton(name, label, () => actions.change({ [key]: !settings[key] }));
    this.colour = choice('Colour', [], settings.colour, (value) => actions.change({ colour: value as Settings['colour'] }));
    this.layout = choice(
      'Layout',
      layouts.map((name) => [name, layoutTitles[name]]),
      settings.layout,
      (value) => actions.change({ layout: value as Settings['layout'] }),
    );
    this.camera = choice(
      'Camera',
      cameraPresets.map((name) => [name, cameraTitles[name]]),
      settings.camera,
      (value) => actions.change({ camera: value as Settings['camera'] }),
    );
    this.toggles = [
      ['wireframe', toggle('wireframe', 'edges', 'Edges of triangles (w)')],
      ['follow', toggle('follow', 'follow', 'Follow the bodies')],
      ['plots', toggle('plots', 'plots', 'Plots (p)')],
      ['dark', toggle('dark', 'dark', 'Dark (d)')],
    ];
    this.camera.root.classList.add('rb-camera');
    this.root.append(
      this.colour.root,
      this.layout.root,
      this.camera.root,
      element(
        'div',
        { class: 'rb-buttons' },
        iconButton('fit', 'Fit everything into the picture (f)', actions.fit),
        ...this.toggles.map(([, button]) => button),
        iconButton('open', 'Open run folders', actions.open),
        iconButton('help', 'Keys (?)', actions.help),
      ),
    );
  }

  apply(settings: Settings, runs: Run[]): void {
    const possible = colourings.filter(({ name }) => runs.length === 0 || runs.some((run) => available(run.file, name)));
    const { select } = this.colour;
    if (select.options.length !== possible.length)
      select.replaceChildren(...possible.map(({ name, title }) => element('option', { value: name }, title)));
    select.value = settings.colour;
    this.layout.root.hidden = runs.length < 2;
    this.layout.select.value = settings.layout;
    this.camera.select.value = settings.camera;
    for (const [key, button] of this.toggles) button.setAttribute('aria-pressed', String(settings[key]));
  }
}
