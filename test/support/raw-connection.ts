import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { observeErrors } from './observed-errors.ts';
import type { Json } from './server.ts';

/** One response as it came over the wire. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  text: string;
  json: Json;
  /** Code of the first error in the envelope. */
  code: number | undefined;
}

/** A connection on which a test writes what no HTTP client would. */
export class RawConnection {
  readonly socket: Socket;
  #received = '';

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('latin1');
    this.socket.on('data', (text: string) => void (this.#received += text));
    // A server that cuts the connection may do so with a reset; `received` tells what came before.
    this.socket.on('error', () => {});
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Everything received by the time the text is there, or the server has closed the connection. */
  async receivedUntil(text: string): Promise<string> {
    while (!this.#received.includes(text) && !this.socket.closed) {
      await Promise.race([once(this.socket, 'data'), once(this.socket, 'close')]);
    }
    return this.#received;
  }

  /** Everything received by the time the server has closed the connection. */
  async receivedToEnd(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, 'close');
    return this.#received;
  }
}

/** Sends raw bytes on a connection of their own and reads the one answer; the server must close it. */
export async function exchange(origin: string, text: string | Uint8Array): Promise<RawAnswer> {
  const connection = new RawConnection(origin);
  connection.write(text);
  return parseAnswer(await connection.receivedToEnd());
}

/** Reads one response whose body ends where the text does. */
export function parseAnswer(received: string): RawAnswer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const text = rest.join('\r\n\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(' ')[1]);
  let json: Json;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const code = observeErrors(status, json);
  return {
    status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    text,
    json,
    code,
  };
}
