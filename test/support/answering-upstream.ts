import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request that a provider has received. */
export interface ReceivedRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** A provider in the process of the test. The test decides how it responds. */
export class AnsweringUpstream {
  readonly baseUrl: string;
  readonly received: ReceivedRequest[] = [];
  respond: Respond = (_request, response) => response.end('{}');
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(): Promise<AnsweringUpstream> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const upstream = new AnsweringUpstream(server);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void text(request).then((body) => {
        upstream.received.push({ url: request.url ?? '', headers: request.headers, body });
        upstream.respond(request, response);
      });
    });
    return upstream;
  }

  /** Responds to each request with this JSON. */
  answer(body: unknown, status = 200, headers: Record<string, string> = {}): void {
    this.respond = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A chat completion with this text. */
export function chatCompletion(content: string): object {
  return {
    id: 'c1',
    object: 'chat.completion',
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
