import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type ClientOptions, WebSocket } from 'ws';
import { observeErrors } from '../support/observed-errors.ts';
import type { Json } from '../support/server.ts';

/** A message with which nothing more comes for its request. */
function isLast({ type, response }: Json): boolean {
  return type === 'universal.done' || type === 'error' || response !== undefined;
}

/** A client of universal requests over WebSocket. */
export class UniversalClient {
  readonly webSocket: WebSocket;
  /** All that came so far. */
  readonly messages: Json[] = [];
  /** Settles with the code of the closing. */
  readonly closed: Promise<number>;
  readonly #waiting = new Set<() => void>();
  #count = 0;
  #isClosed = false;

  private constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    webSocket.on('message', (data: Buffer) => {
      const message: Json = JSON.parse(data.toString());
      this.messages.push(message);
      if (message.type === 'error')
        observeErrors(message.error.status, { errors: [message.error] });
      this.#wake();
    });
    const closing = Promise.withResolvers<number>();
    this.closed = closing.promise;
    webSocket.on('close', (code: number) => {
      this.#isClosed = true;
      closing.resolve(code);
      this.#wake();
    });
    webSocket.on('error', () => {});
  }

  static async open(
    url: string,
    headers: Record<string, string>,
    options: ClientOptions & { protocols?: string[] } = {},
  ): Promise<UniversalClient> {
    const { protocols = [], ...rest } = options;
    const webSocket = new WebSocket(url, protocols, { headers, ...rest });
    const client = new UniversalClient(webSocket);
    await once(webSocket, 'open');
    return client;
  }

  /** Sends a message, a text as it is. */
  send(message: unknown): void {
    this.webSocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** Asks for something; answers with the id by which its messages are known. */
  create(request: object | object[], eventId = `event-${++this.#count}`): string {
    const steps = [request].flat().map((step) => ({ eventId, ...step }));
    this.send({ type: 'universal.create', request: Array.isArray(request) ? steps : steps[0] });
    return eventId;
  }

  /** The first message that is such, from those that came already on. */
  async find(isWanted: (message: Json) => boolean): Promise<Json> {
    for (;;) {
      const found = this.messages.find(isWanted);
      if (found !== undefined) return found;
      if (this.#isClosed) throw new Error('the connection was closed');
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
    }
  }

  /** All messages of a request, when the last one is there. */
  async all(eventId: string): Promise<Json[]> {
    const isOne = ({ metadata }: Json): boolean => metadata.eventId === eventId;
    await this.find(
      (message) => isOne(message) && isLast(message) && message.type !== 'universal.stream',
    );
    return this.messages.filter(isOne);
  }

  /** Asks for something and waits for all that is answered. */
  call(request: object | object[]): Promise<Json[]> {
    return this.all(this.create(request));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** What a handshake is refused with. */
export async function refusedHandshake(
  url: string,
  headers: Record<string, string>,
  protocols: string[] = [],
): Promise<{ status: number; json: Json; headers: IncomingMessage['headers'] }> {
  const webSocket = new WebSocket(url, protocols, { headers });
  webSocket.on('error', () => {});
  const [, response] = (await once(webSocket, 'unexpected-response')) as [unknown, IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const status = response.statusCode ?? 0;
  const json: Json = JSON.parse(text);
  observeErrors(status, json);
  return { status, json, headers: response.headers };
}
