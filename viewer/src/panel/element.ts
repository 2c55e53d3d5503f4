type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** An element with attributes, listeners (keys that begin with "on") and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(key.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(key, '');
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children);
  return made;
}

const paths = {
  play: 'M5 3.2v9.6L13 8z',
  pause: 'M4.5 3h2.4v10H4.5zM9.1 3h2.4v10H9.1z',
  back: 'M11 3.5v9L5 8zM3.4 3.5h1.4v9H3.4z',
  forward: 'M5 3.5v9L11 8zM11.2 3.5h1.4v9h-1.4z',
  loop: 'M4.2 6.2A4.2 4.2 0 0 1 11.6 5.2V3.6h1.3v4h-4V6.3h1.9a2.9 2.9 0 0 0-5.3.3zM11.8 9.8a4.2 4.2 0 0 1-7.4 1v1.6H3.1v-4h4v1.3H5.2a2.9 2.9 0 0 0 5.3-.3z',
  edges: 'M8 1.6 14.2 5v6L8 14.4 1.8 11V5zm0 1.5L4.2 5.2 8 7.3l3.8-2.1zM3.1 6.1v4.1l4.2 2.4V8.4zm9.8 0L8.7 8.4v4.2l4.2-2.4z',
  fit: 'M2.5 6V2.5H6v1.3H3.8V6zM10 2.5h3.5V6h-1.3V3.8H10zM13.5 10v3.5H10v-1.3h2.2V10zM6 13.5H2.5V10h1.3v2.2H6zM6 6h4v4H6z',
  follow: 'M8 1.8a.65.65 0 0 1 .65.65v1.2a4.4 4.4 0 0 1 3.7 3.7h1.2a.65.65 0 0 1 0 1.3h-1.2a4.4 4.4 0 0 1-3.7 3.7v1.2a.65.65 0 0 1-1.3 0v-1.2a4.4 4.4 0 0 1-3.7-3.7h-1.2a.65.65 0 0 1 0-1.3h1.2a4.4 4.4 0 0 1 3.7-3.7v-1.2A.65.65 0 0 1 8 1.8zM8 4.9a3.1 3.1 0 1 0 0 6.2 3.1 3.1 0 0 0 0-6.2zm0 1.8a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6z',
  dark: 'M6.2 2.2a6 6 0 1 0 7.6 7.6A4.8 4.8 0 0 1 6.2 2.2z',
  open: 'M1.8 3.5h4.4l1.3 1.6h6.7v8H1.8zm1.3 1.3v7h9.8V6.4H6.9L5.6 4.8z',
  help: 'M8 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7zm0 1.3a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm-.7 7.3h1.4v1.3H7.3zM8 4.4c1.4 0 2.4.8 2.4 2 0 .9-.5 1.3-1 1.7-.5.3-.7.5-.7 1v.3H7.3V9c0-1 .6-1.5 1.1-1.8.4-.3.6-.5.6-.8 0-.5-.4-.8-1-.8-.7 0-1.1.4-1.1 1H5.6c0-1.3 1-2.2 2.4-2.2z',
  plots: 'M2 13.5V2.5h1.3v9.7H14v1.3zM5 10.4 7.6 6.6l2 2L12.7 4l1.1.7-4 6-2.1-2L6.1 11.1z',
};

export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', paths[name]);
  path.setAttribute('fill-rule', 'evenodd');
  svg.append(path);
  return svg;
}

export function iconButton(name: Icon, label: string, click: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', class: 'rb-icon', title: label, 'aria-label': label, onclick: click, ...attributes },
    icon(name),
  );
}

/** A choice among a few, with a visible name. */
export function choice(
  label: string,
  entries: [value: string, title: string][],
  value: string,
  changed: (value: string) => void,
): { root: HTMLLabelElement; select: HTMLSelectElement } {
  const select = element('select', { 'aria-label': label, onchange: () => changed(select.value) });
  for (const [key, title] of entries) select.append(element('option', { value: key }, title));
  select.value = value;
  return { root: element('label', { class: 'rb-choice' }, element('span', {}, label), select), select };
}
