/** Bytes that can be read from anywhere in the middle: a file on a server, in memory, or dropped on the page. */
export interface ByteSource {
  readonly name: string;
  /** Length now [bytes]; a file that is still being written grows between two calls. */
  size(): Promise<number>;
  /** Fewer bytes than asked for only at the end of the file. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

export class MemorySource implements ByteSource {
  constructor(
    private readonly buffer: ArrayBuffer,
    readonly name = 'frames.rbt',
  ) {}

  async size(): Promise<number> {
    return this.buffer.byteLength;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const from = Math.min(offset, this.buffer.byteLength);
    return new Uint8Array(this.buffer, from, Math.min(length, this.buffer.byteLength - from));
  }
}

export class FileSource implements ByteSource {
  readonly name: string;

  constructor(private readonly file: File) {
    this.name = file.name;
  }

  async size(): Promise<number> {
    return this.file.size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.file.slice(offset, offset + length).arrayBuffer());
  }
}

/** A file on a server that answers Range requests. One that does not is read whole, once. */
export class HttpSource implements ByteSource {
  private whole: Uint8Array | null = null;

  constructor(
    private readonly url: string,
    readonly name = url.split('/').pop() ?? url,
  ) {}

  async size(): Promise<number> {
    if (this.whole) return this.whole.length;
    const answer = await this.request(0, 16);
    const total = /\/(\d+)\s*$/.exec(answer.headers.get('Content-Range') ?? '');
    if (answer.status === 206 && total) {
      await answer.arrayBuffer();
      return Number(total[1]);
    }
    if (answer.status === 416) return total ? Number(total[1]) : 0;
    this.whole = new Uint8Array(await answer.arrayBuffer());
    return this.whole.length;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    if (length <= 0) return new Uint8Array(0);
    if (this.whole) return this.whole.subarray(offset, offset + length);
    const answer = await this.request(offset, length);
    if (answer.status === 416) return new Uint8Array(0);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 206) return bytes;
    this.whole = bytes;
    return bytes.subarray(offset, offset + length);
  }

  private async request(offset: number, length: number): Promise<Response> {
    let answer: Response;
    try {
      // The file may have grown since; an answer from the browser's cache would be an old one.
      answer = await fetch(this.url, {
        headers: { Range: `bytes=${offset}-${offset + length - 1}` },
        cache: 'no-store',
      });
    } catch {
      throw new Error(`${this.name}: the server does not answer.`);
    }
    if (!answer.ok && answer.status !== 416) throw new Error(`${this.name}: the server answers ${answer.status}.`);
    return answer;
  }
}
