import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Wire, chatEvents, completionFor, completionsFault } from './openai-api-chat.ts';
import { responseEvents, responseFor, responsesFault } from './openai-api-responses.ts';

/**
 * OpenAI's API as a process of its own, started by upstream-process.ts: it checks requests as the API
 * does and answers in its shapes. The model and the request choose how it behaves; `GET /recorded`
 * tells what it was sent, `POST /release` lets streams go on.
 */

interface Recorded {
  method: string;
  url: string;
  headers: string[];
  body: string;
  /** The caller broke off before the answer was complete. */
  aborted: boolean;
}

const recorded: Recorded[] = [];
let releases: (() => void)[] = [];
let requestCount = 0;

const server = createServer((request, response) => {
  void answer(request, response);
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { method = '', url = '', rawHeaders, headers } = request;
  if (url === '/recorded') return sendJson(response, 200, recorded);
  if (url === '/release') {
    for (const release of releases) release();
    releases = [];
    return sendJson(response, 200, {});
  }
  const record: Recorded = { method, url, headers: rawHeaders, body, aborted: false };
  recorded.push(record);
  response.on('close', () => {
    record.aborted = !response.writableFinished;
  });
  response.setHeader('x-request-id', `req_${++requestCount}`);
  response.setHeader('openai-processing-ms', '5');
  response.setHeader('x-ratelimit-remaining-requests', '49');
  const refusal = refuseKey(headers.authorization);
  if (refusal !== undefined) return sendError(response, ...refusal);
  if (method === 'GET') return sendModels(response, url);
  await serve(response, url, JSON.parse(body));
}

type Refusal = [status: number, code: string | null, message: string];

function refuseKey(authorization: string | undefined): Refusal | undefined {
  if (authorization === undefined) return [401, null, "You didn't provide an API key."];
  if (authorization !== 'Bearer sk-wrong') return undefined;
  return [401, 'invalid_api_key', 'Incorrect API key provided: sk-wrong.'];
}

function sendModels(response: ServerResponse, url: string): void {
  const model = { id: 'gpt-plain', object: 'model', created: 1, owned_by: 'openai' };
  if (url === '/v1/models') return sendJson(response, 200, { object: 'list', data: [model] });
  if (url === '/v1/models/gpt-plain') return sendJson(response, 200, model);
  sendError(response, 404, 'model_not_found', 'The model does not exist');
}

const faultyModels: Readonly<Record<string, Refusal>> = {
  'gpt-forbidden': [403, 'unsupported_country', 'Country not supported'],
  'gpt-missing': [404, 'model_not_found', 'The model `gpt-missing` does not exist'],
  'gpt-unprocessable': [422, null, 'Unprocessable'],
  'gpt-limited': [429, 'rate_limit_exceeded', 'Rate limit reached for gpt-limited'],
  'gpt-fails': [500, 'server_error', 'The server had an error'],
  'gpt-overloaded': [503, null, 'The engine is currently overloaded'],
};

async function serve(response: ServerResponse, url: string, asked: Wire): Promise<void> {
  const fault = faultyModels[asked.model];
  if (fault !== undefined) return sendError(response, ...fault);
  // Until the caller breaks off.
  if (asked.model === 'gpt-silent') return;
  switch (url) {
    case '/v1/chat/completions':
    // Others who speak this API have it there.
    case '/chat/completions': {
      const wrong = completionsFault(asked);
      if (wrong !== undefined) return sendError(response, 400, null, wrong);
      const completion = completionFor(asked);
      if (asked.stream !== true) return sendJson(response, 200, completion);
      return stream(response, asked.model, [...chatEvents(asked, completion)]);
    }
    case '/v1/responses': {
      const wrong = responsesFault(asked);
      if (wrong !== undefined) return sendError(response, 400, null, wrong);
      const made = responseFor(asked);
      if (asked.stream !== true) return sendJson(response, 200, made);
      return stream(response, asked.model, [...responseEvents(made)]);
    }
    case '/v1/embeddings':
      return sendEmbeddings(response, asked);
    default:
      sendError(response, 404, null, `Invalid URL (POST ${url})`);
  }
}

/** Half of the events wait for nobody, the others, with `gpt-streams`, for a release. */
async function stream(response: ServerResponse, model: string, events: string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  if (model === 'gpt-streams') {
    const bytes = Buffer.from(events.join(''));
    // In the middle of a character.
    const split = bytes.indexOf(Buffer.from('🌍')) + 2;
    response.write(bytes.subarray(0, split));
    await new Promise<void>((resolve) => {
      releases.push(resolve);
    });
    response.end(bytes.subarray(split));
    return;
  }
  response.end(events.join(''));
}

function sendEmbeddings(response: ServerResponse, { input, encoding_format: format }: Wire): void {
  const texts: string[] = [input].flat();
  const data = texts.map((text, index) => {
    const vector = new Float32Array([text.length, -0.5, 0.25]);
    const embedding =
      format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector];
    return { object: 'embedding', index, embedding };
  });
  const usage = { prompt_tokens: 11, total_tokens: 11 };
  sendJson(response, 200, { object: 'list', data, model: 'embedding-upstream', usage });
}

function sendError(
  response: ServerResponse,
  status: number,
  code: string | null,
  message: string,
): void {
  const type =
    status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error';
  if (status === 429) response.setHeader('retry-after', '7');
  sendJson(response, status, { error: { message, type, param: null, code } });
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
