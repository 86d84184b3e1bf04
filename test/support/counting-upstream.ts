import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServedUsage } from './served-usage.ts';

/**
 * OpenAI, Anthropic and Gemini in a process of its own, see upstream-process.ts, that keeps account of
 * the tokens it has told: `GET /served` lists them. The text `ID:MODE` in a request says what is done
 * with it: `ok`; `break`, to begin a stream, tell its tokens so far, and fall silent; `fail`, to fail
 * each time; `again`, to fail the first time.
 */

const served: ServedUsage[] = [];
const failed = new Set<string>();

const server = createServer((request, response) => void serve(request, response));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.url === '/served') return sendJson(response, 200, served);
  const body = Buffer.concat(chunks).toString();
  const [, id = '', mode = ''] = /\b(r\d+):(\w+)/.exec(body) ?? [];
  if (mode === 'fail' || (mode === 'again' && !failed.has(id))) {
    failed.add(id);
    return sendJson(response, 500, { error: { message: 'overloaded', type: 'server_error' } });
  }
  const url = request.url ?? '';
  const isBroken = mode === 'break';
  if (url.startsWith('/v1beta/')) answerGemini(response, url, id, isBroken);
  else if (url.startsWith('/anthropic/')) answerAnthropic(response, body, id, isBroken);
  else if (url.endsWith('/embeddings')) embed(response, body, id);
  else answerOpenAi(response, body, id, isBroken);
}

/** Numbers that differ from request to request; some read from the cache, and some write to it. */
function tokensOf(id: string) {
  const number = Number(id.slice(1));
  return {
    input: 10 + (number % 89),
    output: 1 + (number % 53),
    cacheRead: number % 3 === 0 ? 1 + (number % 9) : 0,
    cacheWrite: number % 5 === 0 ? 1 + (number % 7) : 0,
  };
}

function modelOf(body: string): string {
  return (JSON.parse(body) as { model: string }).model;
}

function answerOpenAi(response: ServerResponse, body: string, id: string, isBroken: boolean): void {
  const { input, output, cacheRead } = tokensOf(id);
  const {
    model,
    stream,
    stream_options: wanted,
  } = JSON.parse(body) as {
    model: string;
    stream?: boolean;
    stream_options?: { include_usage?: boolean };
  };
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
  const told = { id, model, tokensIn: input, tokensOut: output, cacheRead, cacheWrite: 0 };
  const meta = { id: `chatcmpl-${id}`, created: 1, model };
  const message = { role: 'assistant', content: isBroken ? 'ok' : 'well' };
  if (stream !== true) {
    served.push(told);
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return sendJson(response, 200, { ...meta, object: 'chat.completion', choices, usage });
  }
  const chunk = { ...meta, object: 'chat.completion.chunk' };
  const choices = [{ index: 0, delta: message, finish_reason: null }];
  begin(response);
  served.push(told);
  // What it costs so far, with each piece, as vLLM tells it.
  if (isBroken) return void response.write(event({ ...chunk, choices, usage }));
  response.write(event({ ...chunk, choices, usage: null }));
  const end = [{ index: 0, delta: {}, finish_reason: 'stop' }];
  response.write(event({ ...chunk, choices: end, usage: null }));
  // A provider tells nothing that it was not asked for.
  if (wanted?.include_usage === true) response.write(event({ ...chunk, choices: [], usage }));
  response.end(event('[DONE]'));
}

function embed(response: ServerResponse, body: string, id: string): void {
  const { input } = tokensOf(id);
  const model = modelOf(body);
  served.push({ id, model, tokensIn: input, tokensOut: null, cacheRead: null, cacheWrite: null });
  const embedding = [{ object: 'embedding', index: 0, embedding: [0.5] }];
  const usage = { prompt_tokens: input, total_tokens: input };
  sendJson(response, 200, { object: 'list', data: embedding, model, usage });
}

function answerAnthropic(
  response: ServerResponse,
  body: string,
  id: string,
  isBroken: boolean,
): void {
  const { input, output, cacheRead, cacheWrite } = tokensOf(id);
  const { model, stream } = JSON.parse(body) as { model: string; stream?: boolean };
  const before = {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
  const tokensIn = input + cacheRead + cacheWrite;
  const told = { id, model, tokensIn, tokensOut: output, cacheRead, cacheWrite };
  const text = { type: 'text', text: 'well' };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model };
  if (stream !== true) {
    served.push(told);
    const rest = { content: [text], stop_reason: 'end_turn', stop_sequence: null };
    return sendJson(response, 200, {
      ...message,
      ...rest,
      usage: { ...before, output_tokens: output },
    });
  }
  begin(response);
  served.push(isBroken ? { ...told, tokensOut: 1 } : told);
  const started = { ...message, content: [], usage: { ...before, output_tokens: 1 } };
  const events: object[] = [{ type: 'message_start', message: started }];
  if (!isBroken) {
    events.push(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: isBroken ? 'ok' : 'well' },
      },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: output },
      },
      { type: 'message_stop' },
    );
  }
  for (const one of events) response.write(event(one, (one as { type: string }).type));
  if (!isBroken) response.end();
}

function answerGemini(response: ServerResponse, url: string, id: string, isBroken: boolean): void {
  const { input, output, cacheRead } = tokensOf(id);
  const [, model = '', verb] = /\/models\/([^/:]+):(\w+)/.exec(url) ?? [];
  const usage = {
    promptTokenCount: input,
    candidatesTokenCount: output,
    thoughtsTokenCount: 2,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: input + output + 2,
  };
  const told = { id, model, tokensIn: input, tokensOut: output + 2, cacheRead, cacheWrite: null };
  const parts = [{ text: isBroken ? 'ok' : 'well' }];
  const candidates = [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }];
  const meta = { modelVersion: model, responseId: id };
  served.push(told);
  if (verb !== 'streamGenerateContent') {
    return sendJson(response, 200, { candidates, usageMetadata: usage, ...meta });
  }
  begin(response);
  response.write(event({ candidates, usageMetadata: usage, ...meta }));
  if (!isBroken) response.end();
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function event(value: object | string, name?: string): string {
  const first = name === undefined ? '' : `event: ${name}\n`;
  return `${first}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': length });
  response.end(text);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
