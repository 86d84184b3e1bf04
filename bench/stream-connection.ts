import { type Socket, connect } from 'node:net';
import { ChunkedBody } from './chunked-body.ts';
import { StampReader, nowUs } from './stamps.ts';
import type { Target } from './target.ts';

/** What is told of the streams on a connection. */
export interface StreamEvents {
  /** The answer begins. */
  onBegin(): void;
  /** @param delayUs from when the chunk was written by the upstream to when it was read here */
  onChunk(delayUs: number): void;
  /** @returns whether there is to be another stream */
  onWhole(chunks: number): boolean;
  /** At most once, and the last that is told. */
  onFailure(reason: string): void;
}

const HEAD_END = '\r\n\r\n';
const READ_BUFFER_BYTES = 64 * 1024;

// Each read is looked at before the next one, of whatever connection.
const readBuffer = Buffer.alloc(READ_BUFFER_BYTES);

/**
 * A connection that asks for streams one after the other. It reads HTTP with as little work as will do,
 * so that thousands of them leave time on their core: answers must be chunked.
 */
export class StreamConnection {
  readonly #request: string;
  readonly #events: StreamEvents;
  readonly #socket: Socket;
  #head: string | undefined = '';
  #body = new ChunkedBody();
  #stamps: StampReader;
  #chunks = 0;
  #isOver = false;

  constructor({ url, method, headers, body = '' }: Target, events: StreamEvents) {
    const { hostname, port, pathname, host } = new URL(url);
    this.#events = events;
    this.#request = [
      `${method} ${pathname} HTTP/1.1`,
      `host: ${host}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
    this.#stamps = this.#createStampReader();
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#read(readBuffer.toString('latin1', 0, length));
          return true;
        },
      },
    });
    this.#socket.once('connect', () => this.#socket.write(this.#request));
    this.#socket.once('error', (error) => this.#fail(error.message));
    this.#socket.once('close', () => this.#fail('the connection broke off'));
  }

  /** Gives up. */
  close(reason: string): void {
    this.#fail(reason);
  }

  #createStampReader(): StampReader {
    return new StampReader((stampUs) => {
      this.#chunks++;
      this.#events.onChunk(nowUs() - stampUs);
    });
  }

  #read(text: string): void {
    try {
      if (this.#head === undefined) this.#readBody(text);
      else this.#readHead(this.#head + text);
    } catch (error) {
      this.#fail(String(error));
    }
  }

  #readHead(text: string): void {
    const end = text.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = text;
      return;
    }
    const head = text.slice(0, end);
    if (!head.startsWith('HTTP/1.1 200 ') || !/^transfer-encoding: chunked$/im.test(head)) {
      this.#fail(`not a stream: ${text}`);
      return;
    }
    this.#head = undefined;
    this.#events.onBegin();
    this.#readBody(text.slice(end + HEAD_END.length));
  }

  #readBody(text: string): void {
    this.#stamps.feed(this.#body.take(text));
    if (!this.#body.isWhole) return;
    const isWanted = this.#events.onWhole(this.#chunks);
    if (!isWanted) {
      this.#isOver = true;
      this.#socket.destroy();
      return;
    }
    this.#head = '';
    this.#body = new ChunkedBody();
    this.#stamps = this.#createStampReader();
    this.#chunks = 0;
    this.#socket.write(this.#request);
  }

  #fail(reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#socket.destroy();
    this.#events.onFailure(reason);
  }
}
