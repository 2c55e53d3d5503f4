import type { Run } from '../data/run';

/** Columns of stats.csv that are drawn together. */
export interface Choice {
  title: string;
  unit: string;
  columns: string[];
}

export interface Tab {
  name: string;
  title: string;
  one: Choice[]; // what can be chosen where one run is open
  several: Choice[]; // one column each, with a curve for each run
}

const energies = ['kinetic', 'elastic', 'gravity', 'contact', 'other'];

function each(unit: string, ...columns: [column: string, title: string][]): Choice[] {
  return columns.map(([column, title]) => ({ title, unit, columns: [column] }));
}

const energyEach = each(
  'J', ['total', 'Total energy'], ['kinetic', 'Kinetic energy'], ['elastic', 'Elastic energy'], ['gravity', 'Energy of gravity'],
  ['contact', 'Contact energy'], ['other', 'Other energy'], ['dissipated', 'Dissipated'], ['injected', 'Injected'],
); // prettier-ignore

const momentumEach = [
  ...each('kg m/s', ['|p|', 'Linear momentum'], ['px', 'Linear, x'], ['py', 'Linear, y'], ['pz', 'Linear, z']),
  ...each('kg m²/s', ['|l|', 'Angular momentum'], ['lx', 'Angular, x'], ['ly', 'Angular, y'], ['lz', 'Angular, z']),
];

const solver = [
  ...each('', ['newton', 'Newton iterations'], ['linear', 'Linear iterations']),
  ...each('m', ['residual', 'Last Newton step']),
  ...each('s', ['h', 'Step length'], ['wall', 'Wall-clock time']),
];

const contact = [...each('', ['contacts', 'Pairs in contact']), ...each('m', ['min_distance', 'Smallest distance'])];

export const tabs: Tab[] = [
  {
    name: 'energy',
    title: 'Energy',
    one: [
      { title: 'All energies', unit: 'J', columns: [...energies, 'total', 'target'] },
      { title: 'Injected and dissipated', unit: 'J', columns: ['injected', 'dissipated'] },
    ],
    several: energyEach.map((one) => (one.columns[0] === 'total' ? { ...one, columns: ['total', 'target'] } : one)),
  },
  { name: 'alpha', title: 'Alpha', one: each('', ['alpha', 'Correction α']), several: each('', ['alpha', 'Correction α']) },
  {
    name: 'momentum',
    title: 'Momentum',
    one: [
      { title: 'Linear momentum', unit: 'kg m/s', columns: ['|p|', 'px', 'py', 'pz'] },
      { title: 'Angular momentum', unit: 'kg m²/s', columns: ['|l|', 'lx', 'ly', 'lz'] },
    ],
    several: momentumEach,
  },
  { name: 'solver', title: 'Solver', one: solver, several: solver },
  { name: 'contact', title: 'Contact', one: contact, several: contact },
];

/** Names of curves as they are shown. */
export const columnTitles: Record<string, string> = {
  min_distance: 'smallest distance', newton: 'Newton iterations', linear: 'linear iterations', alpha: 'α', '|p|': '|p|', '|l|': '|l|',
  residual: 'last Newton step', h: 'step length', wall: 'wall-clock time',
}; // prettier-ignore

export const columnColours: Record<string, [light: string, dark: string]> = {
  kinetic: ['#d9662b', '#f08a52'], elastic: ['#2a78b5', '#62aee6'], gravity: ['#3c8f5e', '#6cc08f'], contact: ['#a0559c', '#cf8acb'],
  other: ['#8a7a52', '#c0ae80'], total: ['#1c2230', '#f2f4f8'], target: ['#0072b2', '#6fb7ec'], injected: ['#2a78b5', '#62aee6'],
  dissipated: ['#d9662b', '#f08a52'], '|p|': ['#1c2230', '#f2f4f8'], '|l|': ['#1c2230', '#f2f4f8'],
  px: ['#d9662b', '#f08a52'], py: ['#3c8f5e', '#6cc08f'], pz: ['#2a78b5', '#62aee6'],
  lx: ['#d9662b', '#f08a52'], ly: ['#3c8f5e', '#6cc08f'], lz: ['#2a78b5', '#62aee6'],
}; // prettier-ignore

/** The choices of a tab for which any of these runs has numbers that are not all zero. */
export function choicesFor(tab: Tab, runs: Run[]): Choice[] {
  return (runs.length > 1 ? tab.several : tab.one)
    .map((choice) => ({ ...choice, columns: choice.columns.filter((column) => shown(column, choice, runs)) }))
    .filter((choice) => choice.columns.length > 0);
}

function shown(column: string, choice: Choice, runs: Run[]): boolean {
  return runs.some((run) => {
    const numbers = run.stats.column(column);
    // Among several curves those that are zero throughout only take room.
    return numbers && (choice.columns.length === 1 || column === 'total' || numbers.some((value) => value !== 0 && !Number.isNaN(value)));
  });
}
