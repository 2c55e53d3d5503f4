import uPlot from 'uplot';
import { mixedColours } from '../data/colour_map';
import { prefixFor, quantityText } from '../data/quantity_text';
import type { Run } from '../data/run';
import { choice, element } from './element';
import { choicesFor, columnColours, columnTitles, tabs, type Choice } from './quantities';
import type { Settings } from './settings';

interface Curve {
  run: Run;
  column: string;
  title: string;
  colour: string;
  dashed: boolean;
  value: HTMLElement;
  dot: HTMLElement;
}

/** Curves from stats.csv, and a cursor at the time of the picture. Dragging in the plot moves both. */
export class Plots {
  readonly root: HTMLElement;
  private readonly tabList = element('div', { class: 'rb-tabs', role: 'tablist', 'aria-label': 'Plots' });
  private readonly extras = element('div', { class: 'rb-plot-extras' });
  private readonly area = element('div', { class: 'rb-plot-area', role: 'tabpanel' });
  private readonly legend = element('div', { class: 'rb-legend', role: 'list', 'aria-label': 'Values at the cursor' });
  private readonly cursor = element('div', { class: 'rb-plot-cursor' });
  private plot: uPlot | null = null;
  private curves: Curve[] = [];
  private unit = '';
  private runs: Run[] = [];
  private time = 0;
  private readonly sizes: ResizeObserver;

  constructor(
    private readonly settings: Settings,
    private readonly change: (part: Partial<Settings>) => void,
    private readonly seek: (time: number) => void,
  ) {
    this.root = element(
      'section',
      { class: 'rb-plots', 'aria-label': 'Plots' },
      element('div', { class: 'rb-plot-head' }, this.tabList, this.extras),
      element('div', { class: 'rb-plot-body' }, this.area, this.legend),
    );
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(this.area);
  }

  /** Draws anew, after a change of runs, of what is drawn, or of the theme. */
  show(runs: Run[]): void {
    this.runs = runs.filter((run) => run.visible && run.stats.rows > 0);
    this.plot?.destroy();
    this.plot = null;
    this.curves = [];
    this.tabList.replaceChildren();
    this.extras.replaceChildren();
    this.legend.replaceChildren();
    this.area.replaceChildren();
    const present = tabs.filter((tab) => choicesFor(tab, this.runs).length > 0);
    if (present.length === 0) {
      const why = runs.find((run) => run.statsMissing)?.statsMissing;
      this.area.append(element('p', { class: 'rb-quiet' }, why ? `No plots: ${why}.` : 'No plots yet.'));
      return;
    }
    const tab = present.find(({ name }) => name === this.settings.plot) ?? present[0];
    for (const { name, title } of present)
      this.tabList.append(
        element('button', { type: 'button', role: 'tab', 'data-tab': name, 'aria-selected': name === tab.name ? 'true' : 'false', onclick: () => this.change({ plot: name, quantity: '' }) }, title),
      ); // prettier-ignore
    const choices = choicesFor(tab, this.runs);
    const chosen = choices.find(({ title }) => title === this.settings.quantity) ?? choices[0];
    if (choices.length > 1) {
      const entries = choices.map(({ title }): [string, string] => [title, title]);
      this.extras.append(choice('Quantity', entries, chosen.title, (quantity) => this.change({ quantity })).root);
    }
    this.extras.append(
      element('button', { type: 'button', class: 'rb-toggle', 'aria-pressed': String(this.settings.logPlot), title: 'Logarithmic scale', onclick: () => this.change({ logPlot: !this.settings.logPlot }) }, 'log'),
    ); // prettier-ignore
    this.draw(chosen);
  }

  setTime(time: number): void {
    this.time = time;
    const { plot } = this;
    if (!plot) return;
    const [from, to] = [plot.scales.x.min ?? 0, plot.scales.x.max ?? 1];
    const left = plot.valToPos(Math.min(to, Math.max(from, time)), 'x');
    this.cursor.style.transform = `translateX(${left.toFixed(1)}px)`;
    for (const curve of this.curves) {
      const { stats } = curve.run;
      const row = stats.rowNearest(time);
      const value = row < 0 ? NaN : stats.value(curve.column, row);
      curve.value.textContent = quantityText(value, this.unit);
      curve.value.dataset.value = Number.isNaN(value) ? '' : String(value);
      curve.value.dataset.row = String(row);
      const drawable = !Number.isNaN(value) && (!this.settings.logPlot || value > 0);
      curve.dot.style.display = drawable ? '' : 'none';
      if (drawable)
        curve.dot.style.transform = `translate(${plot.valToPos(stats.times[row], 'x').toFixed(1)}px, ${plot.valToPos(value, 'y').toFixed(1)}px)`;
    }
  }

  dispose(): void {
    this.sizes.disconnect();
    this.plot?.destroy();
  }

  private draw(chosen: Choice): void {
    const { dark, logPlot } = this.settings;
    const several = this.runs.length > 1;
    this.unit = chosen.unit;
    const tables: uPlot.AlignedData[] = [];
    const series: uPlot.Series[] = [{}];
    for (const run of this.runs) {
      const times = run.stats.times;
      const columns: (number | null)[][] = [];
      for (const column of chosen.columns) {
        const numbers = run.stats.column(column);
        if (!numbers) continue;
        const colour = several ? (dark ? mixedColours(run.colour, '#ffffff', 0.22) : run.colour) : (columnColours[column] ?? ['#1c2230', '#f2f4f8'])[dark ? 1 : 0];
        const dashed = column === 'target';
        const name = columnTitles[column] ?? column;
        const title = several ? (dashed ? `${run.name}, target` : run.name) : name;
        columns.push(Array.from(numbers, (value) => (Number.isNaN(value) || (logPlot && value <= 0) ? null : value)));
        const width = column === 'total' || several ? 2 : 1.5;
        series.push({ stroke: colour, width: dashed ? 1.25 : width, dash: dashed ? [5, 4] : undefined, points: { show: false } });
        this.addCurve(run, column, title, colour, dashed);
      }
      if (columns.length) tables.push([Array.from(times), ...columns] as uPlot.AlignedData);
    }
    const data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    this.plot = new uPlot(this.options(chosen, series, data), data, this.area);
    this.plot.over.append(this.cursor, ...this.curves.map(({ dot }) => dot));
    this.listen(this.plot.over);
  }

  private addCurve(run: Run, column: string, title: string, colour: string, dashed: boolean): void {
    const value = element('output', { class: 'rb-value', 'data-run': run.name, 'data-column': column });
    const swatch = element('i', { class: dashed ? 'rb-swatch rb-dashed' : 'rb-swatch' });
    swatch.style.color = colour;
    const dot = element('div', { class: 'rb-dot' });
    dot.style.color = colour;
    this.legend.append(element('div', { role: 'listitem', class: 'rb-entry' }, swatch, element('span', {}, title), value));
    this.curves.push({ run, column, title, colour, dashed, value, dot });
  }

  private options(chosen: Choice, series: uPlot.Series[], data: uPlot.AlignedData): uPlot.Options {
    const styles = getComputedStyle(this.root);
    const ink = styles.getPropertyValue('--quiet').trim();
    const grid = styles.getPropertyValue('--line').trim();
    const font = `${this.root.clientWidth >= 2400 ? 14 : 11}px ${styles.fontFamily}`;
    let largest = 0;
    for (let k = 1; k < data.length; ++k) for (const value of data[k]) if (value != null && Math.abs(value) > largest) largest = Math.abs(value);
    const [factor, prefix] = prefixFor(largest, chosen.unit);
    const last = Math.max(...this.runs.map((run) => run.duration));
    const unit = chosen.unit ? ` [${prefix}${chosen.unit}]` : '';
    const numbers = (_: uPlot, splits: number[]): string[] =>
      splits.map((value) => (value == null ? '' : String(Number((value / factor).toPrecision(6))).replace('-', '\u2212')));
    const { logPlot } = this.settings;
    const size = this.size();
    const short = size.height < 150; // no room for names of axes; the tab and the legend say them
    return {
      ...size,
      series,
      legend: { show: false },
      hooks: { draw: [() => this.setTime(this.time)] }, // scales are known only when it draws
      cursor: { show: false, drag: { x: false, y: false } },
      padding: [10, 12, 0, 0],
      scales: {
        x: { time: false, range: [0, last || 1] },
        y: logPlot
          ? { distr: 3 }
          : { range: (_u, low, high) => (low == null ? [0, 1] : uPlot.rangeNum(Math.min(0, low), Math.max(0, high), 0.06, true)) },
      },
      axes: [
        { stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, size: 4, width: 1 }, size: short ? 24 : 34, label: short ? undefined : 'time [s]', labelSize: 14, labelFont: font, labelGap: -4, space: 60 },
        { stroke: ink, font, grid: { stroke: grid, width: 1 }, ticks: { show: false }, size: 46, label: short ? undefined : chosen.title + unit, labelSize: 16, labelFont: font, space: 28, values: logPlot ? undefined : numbers },
      ],
    }; // prettier-ignore
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.area.clientWidth), height: Math.max(90, this.area.clientHeight) };
  }

  private resize(): void {
    const size = this.size();
    if (!this.plot || (this.plot.width === size.width && this.plot.height === size.height)) return;
    this.plot.setSize(size);
  }

  private listen(over: HTMLElement): void {
    const to = (event: PointerEvent): void => {
      if (!this.plot) return;
      const left = event.clientX - over.getBoundingClientRect().left;
      this.seek(this.plot.posToVal(left, 'x'));
    };
    over.addEventListener('pointerdown', (event) => {
      over.setPointerCapture(event.pointerId);
      to(event);
    });
    over.addEventListener('pointermove', (event) => {
      if (over.hasPointerCapture(event.pointerId)) to(event);
    });
  }
}
