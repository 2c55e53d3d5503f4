import { element, icon, iconButton } from './element';
import { speeds, speedText, type Settings } from './settings';

export interface TransportActions {
  toggle(): void;
  step(frames: number): void;
  seek(time: number): void;
  change(part: Partial<Settings>): void;
}

/** Play, pause, single frames, the bar of time, speed. */
export class Transport {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly bar: HTMLInputElement;
  private readonly clock = element('output', { class: 'rb-clock', 'aria-label': 'Simulated time' });
  private readonly frame = element('output', { class: 'rb-frame', 'aria-label': 'Frame' });
  private readonly speed: HTMLSelectElement;
  private readonly loop: HTMLButtonElement;
  private duration = 0; // [s]

  constructor(settings: Settings, actions: TransportActions) {
    this.play = iconButton('play', 'Play (space)', actions.toggle, { class: 'rb-icon rb-play' });
    this.bar = element('input', {
      type: 'range', class: 'rb-bar', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time',
      oninput: () => actions.seek(Number(this.bar.value)),
    }); // prettier-ignore
    this.speed = element('select', { 'aria-label': 'Speed', title: 'Speed: simulated seconds per second', onchange: () => actions.change({ speed: Number(this.speed.value) }) });
    for (const speed of speeds) this.speed.append(element('option', { value: speed }, speedText(speed)));
    this.loop = iconButton('loop', 'Loop', () => actions.change({ loop: !settings.loop }), { class: 'rb-icon rb-loop' });
    this.root = element(
      'div',
      { class: 'rb-transport', role: 'group', 'aria-label': 'Playback' },
      iconButton('back', 'Frame back (left arrow)', () => actions.step(-1), { class: 'rb-icon rb-back' }),
      this.play,
      iconButton('forward', 'Frame forward (right arrow)', () => actions.step(1), { class: 'rb-icon rb-forward' }),
      element('div', { class: 'rb-times' }, this.clock, this.frame),
      this.bar,
      this.speed,
      this.loop,
    );
    this.apply(settings);
  }

  apply(settings: Settings): void {
    this.speed.value = String(settings.speed);
    this.loop.setAttribute('aria-pressed', String(settings.loop));
  }

  setDuration(duration: number): void {
    this.duration = duration;
    this.bar.max = String(duration || 1);
  }

  setPlaying(playing: boolean): void {
    this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
    const label = playing ? 'Pause (space)' : 'Play (space)';
    this.play.title = label;
    this.play.setAttribute('aria-label', label);
  }

  setTime(time: number, frame: number, frames: number): void {
    this.bar.value = String(time);
    this.bar.style.setProperty('--done', `${(100 * time) / (this.duration || 1)}%`);
    this.bar.setAttribute('aria-valuetext', `${time.toFixed(3)} seconds`);
    this.clock.textContent = `${time.toFixed(3)} s`;
    this.frame.textContent = frames ? `frame ${frame} of ${frames - 1}` : '';
  }
}
