import { element } from './element';

/** What a key does; `keys` is how the help names it, empty where the line above says it. */
export interface KeyAction {
  keys: string;
  does: string;
  matches(event: KeyboardEvent): boolean;
  act(): void;
}

/** Keys act on the whole viewer, except where the key means something to the control that has the focus. */
export function listenToKeys(root: HTMLElement, wholePage: boolean, actions: () => KeyAction[]): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    // On a page with other things, keys are taken only where the focus is in the viewer.
    if (!root.contains(target) && !(wholePage && target === document.body)) return;
    if (target.matches('select, textarea, input:not([type=range])')) return;
    if (target.matches('button, [role=button]') && (event.key === ' ' || event.key === 'Enter')) return;
    const action = actions().find((candidate) => candidate.matches(event));
    if (!action) return;
    event.preventDefault();
    action.act();
  };
  document.addEventListener('keydown', pressed);
  return () => document.removeEventListener('keydown', pressed);
}

export function helpDialog(actions: KeyAction[]): HTMLDialogElement {
  const rows = actions.filter(({ keys }) => keys).map(({ keys, does }) => element('tr', {}, element('td', {}, ...keyCaps(keys)), element('td', {}, does)));
  const dialog = element(
    'dialog',
    { class: 'rb-help', 'aria-label': 'Keys' },
    element('h2', {}, 'Keys'),
    element('table', {}, element('tbody', {}, ...rows)),
    element('p', { class: 'rb-quiet' }, 'Mouse: drag to turn, right button or Shift to move, wheel to come nearer. Touch: one finger turns, two move and zoom. Drop a frames.rbt or a run folder on the page to open it.'),
    element('form', { method: 'dialog' }, element('button', { class: 'rb-toggle', autofocus: true }, 'Close')),
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  return dialog;
}

function keyCaps(keys: string): Node[] {
  return keys.split(' ').map((key) => (key === 'or' || key === 'to' ? document.createTextNode(` ${key} `) : element('kbd', {}, key)));
}
