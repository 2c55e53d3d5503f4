import { element } from './element';

/** What has to be told, at the lower edge of the picture. */
export class Messages {
  readonly root = element('div', { class: 'rb-message', role: 'status', 'aria-live': 'polite' });
  private readonly shown = new Map<string, HTMLElement>();

  /** Something is wrong; stays until it is dismissed. The same text is told once. */
  wrong(text: string): void {
    this.add(text, 'rb-wrong', true);
  }

  /** Something is going on; stays until it is over. */
  busy(text: string): () => void {
    this.add(text, '', false);
    return () => this.remove(text);
  }

  private add(text: string, kind: string, dismissable: boolean): void {
    if (this.shown.has(text)) return;
    const line = element('div', { class: kind }, element('span', {}, text));
    if (dismissable) line.append(element('button', { type: 'button', 'aria-label': 'Dismiss', onclick: () => this.remove(text) }, '✕'));
    this.shown.set(text, line);
    this.root.append(line);
  }

  private remove(text: string): void {
    this.shown.get(text)?.remove();
    this.shown.delete(text);
  }
}
