import { chosenRuns, droppedRuns } from '../data/dropped_files';
import { FrameCache } from '../data/frame_cache';
import type { Frame } from '../data/frame_file';
import { overviewOf, type Overview } from '../data/overview';
import { Run, runColours, type RunSource } from '../data/run';
import { Controls } from './controls';
import { element } from './element';
import { helpDialog, listenToKeys } from './keys';
import { keyActions } from './key_actions';
import { Messages } from './messages';
import { PictureView } from './picture_view';
import { Plots } from './plots';
import { RunList } from './run_list';
import { checked, defaults, type Settings } from './settings';
import { Transport } from './transport';

export interface ViewerOptions {
  runs?: RunSource[];
  settings?: Partial<Settings>;
  wholePage?: boolean; // nothing else is on the page: keys and the wheel are the viewer's
  cacheBytes?: number; // how much memory frames may take, over all runs
  again?: () => Promise<RunSource[]>; // what is known of the runs by now: asked while some are live and nothing comes
}

const pollEvery = 1500; // [ms]
const askAfter = 4; // such times without anything new, whether a run still goes on
const ahead = 24; // frames asked for before they are shown

/** The whole viewer inside one element of a page. */
export class Viewer {
  readonly ready: Promise<void>;
  readonly settings: Settings;
  readonly cache: FrameCache<Frame>;
  readonly picture: PictureView;
  runs: Run[] = [];
  playing = false;
  now = 0; // simulated time [s]
  duration = 0; // [s]

  private readonly root: HTMLElement;
  private readonly title = element('div', { class: 'rb-title' });
  private readonly messages = new Messages();
  private readonly empty: HTMLElement;
  private readonly controls: Controls;
  private readonly list: RunList;
  private readonly transport: Transport;
  private readonly plots: Plots;
  private readonly help: HTMLDialogElement;
  private readonly stopKeys: () => void;
  private overviews: Overview[] = [];
  private shown: number[] = []; // frame shown of each run
  private bringing: Promise<void> | null = null;
  private wanted = false;
  private waiting: Promise<void> | null = null;
  private poll = 0;
  private quiet = 0; // how often nothing new was found of the live runs

  constructor(
    element_: HTMLElement,
    private readonly options: ViewerOptions,
  ) {
    this.settings = { ...defaults(matchMedia('(prefers-color-scheme: dark)').matches), ...checked(options.settings ?? {}) };
    this.cache = new FrameCache(options.cacheBytes ?? 192 << 20);
    const change = (part: Partial<Settings>): void => this.set(part);
    this.picture = new PictureView(this.settings, options.wholePage ?? false, change, (seconds) => this.advance(seconds));
    this.controls = new Controls(this.settings, { change, fit: () => this.picture.fit(), open: () => this.choose(), help: () => this.help.showModal() });
    this.list = new RunList((run) => this.toggle(run));
    this.transport = new Transport(this.settings, {
      change,
      toggle: () => (this.playing ? this.pause() : this.play()),
      step: (frames) => this.step(frames),
      seek: (time) => void this.seek(time),
    });
    this.plots = new Plots(this.settings, change, (time) => void this.seek(time));
    this.help = helpDialog(keyActions(this));
    this.empty = element(
      'div',
      { class: 'rb-empty', hidden: true },
      element('b', {}, 'No run is open'),
      element('span', {}, 'Drop a frames.rbt, or a whole run folder, on this page.'),
      element('button', { type: 'button', class: 'rb-toggle', onclick: () => this.choose() }, 'Open a run folder …'),
    );
    this.picture.root.append(this.empty, this.messages.root);
    this.root = element(
      'div',
      { class: 'rubato' },
      element(
        'div',
        { class: 'rb-frame-grid' },
        element('header', { class: 'rb-head' }, this.title, this.list.root, this.controls.root),
        this.picture.root,
        this.transport.root,
        this.plots.root,
      ),
      this.help,
    );
    this.listenToDrops();
    this.stopKeys = listenToKeys(this.root, options.wholePage ?? false, () => keyActions(this));
    element_.replaceChildren(this.root);
    this.paint();
    if (!this.picture.stage)
      this.messages.wrong('This browser has no WebGL 2, so the bodies cannot be drawn; the plots can. Another browser, or turning hardware acceleration on, may help.');
    this.ready = this.open(options.runs ?? []);
    this.poll = window.setInterval(() => void this.followRuns(), pollEvery);
  }

  /** Opens runs beside those that are open. */
  async open(sources: RunSource[]): Promise<void> {
    const done = sources.length ? this.messages.busy(sources.length === 1 ? 'Opening the run …' : `Opening ${sources.length} runs …`) : () => undefined;
    const opened: { run: Run; overview: Overview }[] = [];
    for (const source of sources) {
      try {
        const colour = runColours[(this.runs.length + opened.length) % runColours.length];
        const run = await Run.open(source, colour, this.cache);
        if (run.file.count === 0 && !source.live) throw new Error(`${run.name} holds no frame.`);
        opened.push({ run, overview: await overviewOf(run) });
      } catch (error) {
        this.messages.wrong((error as Error).message);
      }
    }
    this.runs = [...this.runs, ...opened.map(({ run }) => run)];
    this.overviews = [...this.overviews, ...opened.map(({ overview }) => overview)];
    done();
    this.shown = this.runs.map(() => -1);
    this.empty.hidden = this.runs.length > 0;
    this.duration = Math.max(0, ...this.runs.map((run) => run.duration));
    this.transport.setDuration(this.duration);
    this.picture.setRuns(this.runs, this.overviews);
    this.apply(this.settings);
    this.plots.show(this.runs);
    await this.seek(this.now);
  }

  set(part: Partial<Settings>): void {
    const before = { ...this.settings };
    Object.assign(this.settings, checked(part));
    this.apply(before);
  }

  async seek(time: number): Promise<void> {
    this.now = Math.min(this.duration, Math.max(0, Number.isFinite(time) ? time : 0));
    this.showTime();
    await this.bring();
  }

  /** To the next frame, or several on; of several runs the one with most frames counts. */
  step(frames: number): void {
    this.pause();
    const run = this.finest();
    if (!run) return;
    const { file } = run;
    const to = Math.min(file.count - 1, Math.max(0, file.frameAt(this.now) + frames));
    void this.seek(file.time(to));
  }

  play(): void {
    if (this.playing || this.runs.length === 0) return;
    if (this.now >= this.duration) this.now = 0;
    this.playing = true;
    this.transport.setPlaying(true);
    this.picture.wake();
  }

  pause(): void {
    this.playing = false;
    this.transport.setPlaying(false);
    this.picture.wake();
  }

  showHelp(): void {
    this.help.showModal();
  }

  dispose(): void {
    window.clearInterval(this.poll);
    this.stopKeys();
    this.plots.dispose();
    this.picture.dispose();
    this.root.remove();
  }

  private apply(before: Settings): void {
    const { settings } = this;
    this.controls.apply(settings, this.runs);
    this.transport.apply(settings);
    this.paint();
    this.list.show(this.runs, settings.dark);
    this.plots.root.hidden = !settings.plots;
    const plotKeys: (keyof Settings)[] = ['dark', 'plot', 'quantity', 'logPlot', 'plots'];
    if (plotKeys.some((key) => settings[key] !== before[key])) this.plots.show(this.runs);
    this.picture.apply(before);
    this.showTime();
  }

  private paint(): void {
    this.root.dataset.theme = this.settings.dark ? 'dark' : 'light';
    const scenes = [...new Set(this.runs.map((run) => run.scene).filter(Boolean))];
    this.title.replaceChildren(element('b', {}, scenes.join(', ') || 'Rubato'), element('small', {}, scenes.length ? 'Rubato' : 'viewer'));
  }

  private toggle(run: Run): void {
    if (run.visible && this.runs.filter(({ visible }) => visible).length === 1) return; // the last one stays
    run.visible = !run.visible;
    this.picture.placed();
    this.list.show(this.runs, this.settings.dark);
    this.plots.show(this.runs);
    void this.seek(this.now);
  }

  private finest(): Run | undefined {
    return this.runs.filter(({ visible }) => visible).sort((a, b) => b.file.count - a.file.count)[0];
  }

  private showTime(): void {
    const run = this.finest();
    this.transport.setTime(this.now, run ? run.file.frameAt(this.now) : 0, run?.file.count ?? 0);
    this.plots.setTime(this.now);
    this.list.setTime(this.now);
  }

  /** Called before every picture; true while playing. */
  private advance(seconds: number): boolean {
    if (!this.playing) return false;
    let next = this.now + seconds * this.settings.speed;
    if (next >= this.duration) {
      if (this.settings.loop && this.now >= this.duration) next = 0;
      else next = this.duration;
      if (!this.settings.loop && this.now >= this.duration) this.pause();
    }
    // Time waits for frames that are still on their way.
    const late = this.runs.filter((run) => run.visible && run.file.count > 0 && !run.frames.settled(run.file.frameAt(next)));
    if (late.length) {
      this.waiting ??= Promise.allSettled(late.map((run) => run.frames.frame(run.file.frameAt(next)))).then(() => {
        this.waiting = null; // a damaged frame is told of when its turn comes
      });
      return true;
    }
    this.now = next;
    this.showTime();
    void this.bring();
    return true;
  }

  /** Shows the frames of the present time, once they are here. Only the newest wish counts. */
  private bring(): Promise<void> {
    this.wanted = true;
    this.bringing ??= (async () => {
      while (this.wanted) {
        this.wanted = false;
        await this.showFrames(this.now);
      }
      this.bringing = null;
    })();
    return this.bringing;
  }

  private async showFrames(time: number): Promise<void> {
    const frames: (Frame | null)[] = this.runs.map((run) => (run.file.count ? (run.frames.present(run.file.frameAt(time)) ?? null) : null));
    if (this.runs.some((run, i) => run.visible && run.file.count && !frames[i]))
      await Promise.all(
        this.runs.map(async (run, i) => {
          if (!run.visible || run.file.count === 0) return;
          try {
            frames[i] = await run.frames.frame(run.file.frameAt(time));
          } catch (error) {
            this.messages.wrong((error as Error).message);
          }
        }),
      );
    this.runs.forEach((run) => run.visible && run.file.count && run.frames.prefetch(run.file.frameAt(time), this.playing ? ahead : 2));
    let changed = false;
    frames.forEach((frame, i) => {
      if (!frame || i >= this.shown.length || this.shown[i] === frame.number) return;
      this.shown[i] = frame.number;
      this.picture.show(i, frame);
      changed = true;
    });
    this.picture.framesShown(time);
    if (changed && !this.playing) this.picture.drawNow();
    this.picture.wake();
  }

  /** Shows what live runs write; where nothing comes for a while, asks whether they still go on. */
  private async followRuns(): Promise<void> {
    if (!this.runs.some((run) => run.source.live)) return;
    this.quiet = (await this.lookForMore()) ? 0 : this.quiet + 1;
    if (this.quiet >= askAfter) {
      this.quiet = 0;
      await this.lookForEnds();
    }
  }

  /** Asks which of the live runs have ended since, in whatever way: no more will come of them. */
  private async lookForEnds(): Promise<void> {
    const known = (await this.options.again?.()) ?? [];
    for (const run of this.runs) {
      const now = known.find(({ frames }) => frames === run.source.frames);
      if (!run.source.live || !now || now.live) continue;
      await this.lookForMore(); // what came until then
      run.source.live = false;
      run.source.rest = now.rest;
      this.list.setTime(this.now);
    }
  }

  /** Whether something came. */
  private async lookForMore(): Promise<boolean> {
    let came = false;
    for (const [i, run] of this.runs.entries()) {
      if (!run.source.live) continue;
      const before = run.file.count;
      const atEnd = !this.playing && this.now >= this.duration && this.duration > 0;
      try {
        if (!(await run.refresh())) continue;
      } catch (error) {
        this.messages.wrong((error as Error).message);
        continue;
      }
      came = true;
      // What several frames said about the run may no longer hold when it is much longer.
      if (before === 0 || Math.floor(Math.log2(run.file.count)) > Math.floor(Math.log2(before))) {
        this.overviews[i] = await overviewOf(run);
        this.picture.setRuns(this.runs, this.overviews);
        this.shown = this.runs.map(() => -1);
      }
      this.duration = Math.max(0, ...this.runs.map((each) => each.duration));
      this.transport.setDuration(this.duration);
      this.plots.show(this.runs);
      await this.seek(atEnd ? this.duration : this.now);
    }
    return came;
  }

  private listenToDrops(): void {
    const { root } = this;
    root.addEventListener('dragover', (event) => {
      event.preventDefault();
      root.classList.add('rb-dropping');
    });
    root.addEventListener('dragleave', (event) => {
      if (!root.contains(event.relatedTarget as Node | null)) root.classList.remove('rb-dropping');
    });
    root.addEventListener('drop', (event) => {
      event.preventDefault();
      root.classList.remove('rb-dropping');
      if (event.dataTransfer) void droppedRuns(event.dataTransfer).then((runs) => this.openFound(runs));
    });
  }

  private choose(): void {
    const input = element('input', { type: 'file', multiple: true, webkitdirectory: true });
    input.addEventListener('change', () => this.openFound(chosenRuns(input.files ?? [])));
    input.click();
  }

  private openFound(runs: RunSource[]): void {
    if (runs.length === 0) this.messages.wrong('No frames.rbt was found in there.');
    else void this.open(runs);
  }
}
