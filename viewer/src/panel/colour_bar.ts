import { mapColour } from '../data/colour_map';
import { colourings, type Colouring } from '../data/colouring';
import { prefixFor, quantityText } from '../data/quantity_text';
import { element } from './element';
import type { Settings } from './settings';

/** Which value has which colour. */
export class ColourBar {
  readonly root: HTMLElement;
  private readonly title = element('span', { class: 'rb-scale-title' });
  private readonly ticks = element('div', { class: 'rb-scale-ticks' });
  private readonly range: HTMLButtonElement;
  private readonly log: HTMLButtonElement;
  private shownKey = '';

  constructor(settings: Settings, change: (part: Partial<Settings>) => void) {
    const band = element('div', { class: 'rb-scale-band' });
    const stops = Array.from({ length: 17 }, (_, i) => `rgb(${mapColour(i / 16).map(Math.round).join(',')})`);
    band.style.background = `linear-gradient(to right, ${stops.join(',')})`;
    this.range = element('button', { type: 'button', class: 'rb-toggle', title: 'Range of the whole run or of the frame', onclick: () => change({ range: settings.range === 'run' ? 'frame' : 'run' }) });
    this.log = element('button', { type: 'button', class: 'rb-toggle', title: 'Logarithmic scale', onclick: () => change({ logColour: !settings.logColour }) }, 'log');
    this.root = element(
      'div',
      { class: 'rb-scale', role: 'group', 'aria-label': 'Colour scale', hidden: true },
      element('div', { class: 'rb-scale-head' }, this.title, this.range, this.log),
      band,
      this.ticks,
    );
  }

  /** `low` and `high`: ends of the scale in SI units. */
  show(colouring: Colouring, low: number, high: number, settings: Settings): void {
    const entry = colourings.find(({ name }) => name === colouring);
    this.root.hidden = !entry || entry.unit === '';
    if (!entry || this.root.hidden) return;
    const key = [colouring, low, high, settings.logColour, settings.range].join();
    if (key === this.shownKey) return;
    this.shownKey = key;
    const [factor, prefix] = prefixFor(high, entry.unit);
    this.title.textContent = `${entry.title} [${prefix}${entry.unit}]`;
    this.range.textContent = settings.range === 'run' ? 'run' : 'frame';
    this.range.setAttribute('aria-pressed', String(settings.range === 'frame'));
    this.log.hidden = !entry.spans;
    this.log.setAttribute('aria-pressed', String(settings.logColour));
    const shares = [0, 0.25, 0.5, 0.75, 1];
    this.ticks.replaceChildren(
      ...shares.map((share) => {
        const value = settings.logColour && entry.spans ? low * (high / low) ** share : low + share * (high - low);
        const text = settings.logColour && entry.spans ? quantityText(value, entry.unit, 2) : String(Number((value / factor).toPrecision(3)));
        return element('span', {}, share === 1 && entry.spans ? `≥ ${text}` : text);
      }),
    );
  }
}
