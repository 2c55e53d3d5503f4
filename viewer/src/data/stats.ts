/** The table of a run, stats.csv: one row for the start and one for every step. docs/output.md lists the columns. */
export class Stats {
  private constructor(
    private readonly columns: Map<string, Float64Array>, // NaN where a cell is empty
    readonly rows: number,
  ) {}

  static readonly none = new Stats(new Map(), 0);

  static read(text: string): Stats {
    const lines = text.split('\n');
    const names = (lines[0] ?? '').trim().split(',');
    // A run that goes on may have written half of the last line.
    const complete = lines.slice(1, text.endsWith('\n') ? undefined : -1).filter((line) => line.trim() !== '');
    const last = lines[lines.length - 1];
    if (!text.endsWith('\n') && lines.length > 1 && last.split(',').length === names.length) complete.push(last);
    const data = names.map(() => new Float64Array(complete.length));
    complete.forEach((line, row) => {
      const cells = line.trim().split(',');
      names.forEach((_, column) => {
        const cell = cells[column];
        data[column][row] = cell === undefined || cell === '' ? NaN : Number(cell);
      });
    });
    const filled = names.map((name, i) => [name, data[i]] as const).filter(([, cells]) => cells.some((c) => !Number.isNaN(c)));
    return new Stats(new Map(filled), complete.length);
  }

  /** The numbers of a column; undefined: there is no such column, or all its cells are empty. */
  column(name: string): Float64Array | undefined {
    return this.columns.get(name) ?? this.derived(name);
  }

  value(name: string, row: number): number {
    return this.column(name)?.[row] ?? NaN;
  }

  get times(): Float64Array {
    return this.columns.get('time') ?? new Float64Array(0);
  }

  /** The row whose time is nearest to t; of two equally near ones the earlier. -1: the table is empty. */
  rowNearest(t: number): number {
    const times = this.times;
    if (times.length === 0) return -1;
    let low = 0;
    let high = times.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < t) low = middle + 1;
      else high = middle;
    }
    return low > 0 && t - times[low - 1] <= times[low] - t ? low - 1 : low;
  }

  /** Sizes of the momenta, which the table does not hold. */
  private derived(name: string): Float64Array | undefined {
    const known = this.made.get(name);
    if (known) return known;
    const made = name === '|p|' ? this.size('px', 'py', 'pz') : name === '|l|' ? this.size('lx', 'ly', 'lz') : undefined;
    if (made) this.made.set(name, made);
    return made;
  }

  private readonly made = new Map<string, Float64Array>();

  private size(x: string, y: string, z: string): Float64Array | undefined {
    const [a, b, c] = [x, y, z].map((name) => this.columns.get(name));
    return a && b && c ? a.map((value, row) => Math.hypot(value, b[row], c[row])) : undefined;
  }
}
