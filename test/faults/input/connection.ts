import { type Socket, connect } from 'node:net';

/** One response, as it came over the wire. */
export interface WireAnswer {
  status: number;
  /** Names in lower case, values joined with commas. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** Why there is no answer. */
export type NoAnswer = 'closed' | 'late' | 'malformed' | 'cut by the upstream';

const HEAD_END = Buffer.from('\r\n\r\n');
const UPSTREAM_MARK = 'x-inference-id';
const LINE_END = Buffer.from('\r\n');

/** An HTTP connection that sends any bytes, and takes answers apart by itself: strictly, to see what is wrong. */
export class WireConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => {};
  /** Answers that it has given. */
  answers = 0;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.#socket = connect({ port: Number(port), host: hostname, noDelay: true });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  /** Whether the other side takes a further request. */
  get isUsable(): boolean {
    return !this.#isClosed && this.#socket.writable && this.#received.length === 0;
  }

  /** Whether bytes have come that belong to no answer. */
  get hasMore(): boolean {
    return this.#received.length > 0;
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Sends nothing more, and goes on reading. */
  end(): void {
    this.#socket.end();
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /**
   * The next final answer.
   * @param isHead the request was HEAD, so that the answer has no body
   */
  async answer(isHead: boolean, timeoutMs: number): Promise<WireAnswer | NoAnswer> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, timeoutMs);
    try {
      for (;;) {
        const answer = this.#take(isHead);
        if (
          answer !== undefined &&
          (answer === 'malformed' || answer.status >= 200 || answer.status === 101)
        ) {
          this.answers++;
          return answer;
        }
        // After an interim answer, the final one may be there already.
        if (answer !== undefined) continue;
        if (this.#isClosed)
          return this.#received.includes(UPSTREAM_MARK) ? 'cut by the upstream' : 'closed';
        if (isLate) return 'late';
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #take(isHead: boolean): WireAnswer | 'malformed' | undefined {
    const received = this.#received;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0);
    if (status === 0) return 'malformed';
    const headers = readHeaders(lines);
    if (headers === undefined) return 'malformed';
    const start = headEnd + HEAD_END.length;
    const hasBody = !isHead && status !== 204 && status !== 304 && status >= 200;
    const length = headers.get('content-length');
    let taken: { body: Buffer; end: number } | 'malformed' | undefined = {
      body: Buffer.alloc(0),
      end: start,
    };
    if (hasBody && headers.get('transfer-encoding') === 'chunked')
      taken = readChunks(received, start);
    else if (hasBody && length !== undefined) {
      const end = start + Number(length);
      taken = received.length < end ? undefined : { body: received.subarray(start, end), end };
    } else if (hasBody) {
      taken = this.#isClosed ? { body: received.subarray(start), end: received.length } : undefined;
    }
    if (taken === undefined || taken === 'malformed') return taken;
    this.#received = received.subarray(taken.end);
    return { status, headers, body: taken.body };
  }
}

function readHeaders(lines: readonly string[]): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    if (before !== undefined && (name === 'content-length' || name === 'content-type'))
      return undefined;
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

function readChunks(
  received: Buffer,
  start: number,
): { body: Buffer; end: number } | 'malformed' | undefined {
  const chunks: Buffer[] = [];
  let position = start;
  for (;;) {
    const lineEnd = received.indexOf(LINE_END, position);
    if (lineEnd < 0) return undefined;
    const line = received.toString('latin1', position, lineEnd);
    if (!/^[0-9a-f]+$/i.test(line)) return 'malformed';
    const length = Number.parseInt(line, 16);
    const begin = lineEnd + LINE_END.length;
    const end = begin + length;
    if (received.length < end + LINE_END.length) return undefined;
    if (length === 0) return { body: Buffer.concat(chunks), end: end + LINE_END.length };
    chunks.push(received.subarray(begin, end));
    position = end + LINE_END.length;
  }
}
