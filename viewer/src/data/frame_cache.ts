/**
 * Keeps the things used last, as many as fit into a given number of bytes. A thing larger than all of that is kept
 * alone, since it is being looked at.
 */
export class FrameCache<Value> {
  private readonly entries = new Map<string, { value: Value; bytes: number }>(); // in the order of their last use
  private held = 0;

  constructor(readonly capacity: number) {}

  get bytes(): number {
    return this.held;
  }

  get size(): number {
    return this.entries.size;
  }

  has(key: string): boolean {
    return this.entries.has(key);
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  put(key: string, value: Value, bytes: number): void {
    this.remove(key);
    for (const oldest of this.entries.keys()) {
      if (this.held + bytes <= this.capacity) break;
      this.remove(oldest);
    }
    this.entries.set(key, { value, bytes });
    this.held += bytes;
  }

  remove(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.held -= entry.bytes;
    this.entries.delete(key);
  }

  removeWhere(chosen: (key: string) => boolean): void {
    for (const key of [...this.entries.keys()]) if (chosen(key)) this.remove(key);
  }
}
