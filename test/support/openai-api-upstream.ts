import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Wire, chatEvents, completionFor, completionsFault } from './openai-api-chat.ts';
import { responseEvents, responseFor, responsesFault } from './openai-api-responses.ts';
import { endInHalves, sendJson, serveRecording } from './recording-upstream.ts';

/**
 * OpenAI's API as a process of its own, see recording-upstream.ts: it checks requests as the API does
 * and answers in its shapes. The model and the request choose how it behaves.
 */

let requestCount = 0;

async function answer(
  { method, url = '', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
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

async function stream(response: ServerResponse, model: string, events: string[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const text = events.join('');
  if (model === 'gpt-streams') return endInHalves(response, Buffer.from(text));
  response.end(text);
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

serveRecording(answer);
