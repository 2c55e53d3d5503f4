import { quantityText, shareText } from '../data/quantity_text';
import type { Run } from '../data/run';
import { element } from './element';
import { readable } from './labels';

interface Chip {
  run: Run;
  kept: HTMLElement;
  energy: HTMLElement;
  fill: HTMLElement;
}

/** The runs: names, scene, integrator, and how much of its energy each has at the time shown. A click hides a run. */
export class RunList {
  readonly root = element('div', { class: 'rb-runs', role: 'group', 'aria-label': 'Runs' });
  private chips: Chip[] = [];

  constructor(private readonly toggled: (run: Run) => void) {}

  show(runs: Run[], dark: boolean): void {
    this.chips = [];
    this.root.replaceChildren(
      ...runs.map((run) => {
        const kept = element('b', { class: 'rb-kept', 'data-run': run.name, title: 'Energy relative to the start' });
        const energy = element('span', { class: 'rb-energy', 'data-run': run.name, title: 'Total energy' });
        const fill = element('i', { class: 'rb-fill' });
        const name = element('span', { class: 'rb-name' }, run.name);
        const chip = element(
          runs.length > 1 ? 'button' : 'div',
          { class: 'rb-run', title: [run.name, run.about].filter(Boolean).join(' · ') },
          element('span', { class: 'rb-run-names' }, name, element('small', {}, run.about)),
          element('span', { class: 'rb-run-figures' }, kept, energy),
          element('span', { class: 'rb-track' }, fill),
        );
        chip.style.setProperty('--run', runs.length > 1 ? run.colour : 'var(--accent)');
        if (runs.length > 1) {
          name.style.color = readable(run.colour, dark);
          chip.setAttribute('type', 'button');
          chip.setAttribute('aria-pressed', String(run.visible));
          chip.addEventListener('click', () => this.toggled(run));
        }
        this.chips.push({ run, kept, energy, fill });
        return chip;
      }),
    );
  }

  setTime(time: number): void {
    for (const { run, kept, energy, fill } of this.chips) {
      const row = run.stats.rowNearest(time);
      const share = run.energyKept(row);
      const total = row < 0 ? NaN : run.stats.value('total', row);
      kept.textContent = Number.isNaN(share) ? '' : shareText(share);
      energy.textContent = Number.isNaN(total) ? '' : quantityText(total, 'J');
      energy.dataset.value = Number.isNaN(total) ? '' : String(total);
      fill.style.width = `${100 * Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share))}%`;
    }
  }
}
