import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Json } from '../../support/server.ts';

/** Prices that the provider takes, US dollars for a million tokens. */
const PRICES: Readonly<Record<string, { input: number; output: number }>> = {
  'gpt-4o': { input: 2.5, output: 10 },
  'claude-sonnet-4-5': { input: 3, output: 15 },
  'gemini-2.5-flash': { input: 0.3, output: 2.5 },
};
/** The price of the priority tier, relative to the listed one. */
export const PRIORITY = 2;
const BYTES_PER_TOKEN = 4;
const TOKEN = 'word';
const MOST_TOKENS = 400;

/** One call that the provider has served, as it bills it. */
export interface ServedCall {
  /** As the prompt names it. */
  caller: string;
  usd: number;
  /** Nothing is added any more. */
  isOver: boolean;
  /** The client left before the end of a stream: what was on its way then is billed, too. */
  isBrokenOff: boolean;
}

type Api = 'chat' | 'responses' | 'messages' | 'gemini';

interface Asked {
  api: Api;
  model: string;
  body: Json;
  isStream: boolean;
  tokensIn: number;
  tokensOut: number;
  factor: number;
}

/** OpenAI, Azure OpenAI, Anthropic and Gemini in one, which keeps account of what it has served. */
export class CountingProvider {
  readonly calls: ServedCall[] = [];
  readonly #server: Server;
  origin = '';

  constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** US dollars for all calls so far. */
  get usd(): number {
    return this.calls.reduce((sum, call) => sum + call.usd, 0);
  }

  callsOf(caller: string): ServedCall[] {
    return this.calls.filter((call) => call.caller === caller);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const asked = readAsked(decodeURIComponent(request.url ?? ''), bytes);
    if (asked === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{}}');
      return;
    }
    const caller = /caller:([\w.-]+)/.exec(bytes.toString())?.[1] ?? '';
    const call: ServedCall = { caller, usd: 0, isOver: false, isBrokenOff: false };
    this.calls.push(call);
    try {
      await this.#answer(asked, bytes, response, call);
    } finally {
      call.isOver = true;
    }
  }

  async #answer(
    asked: Asked,
    bytes: Buffer,
    response: ServerResponse,
    call: ServedCall,
  ): Promise<void> {
    const mode = /mode:(\w+)/.exec(bytes.toString())?.[1];
    // It works on the request whether anybody waits for the answer or not.
    if (mode === 'hang') {
      call.usd = usdOf(asked, asked.tokensOut);
      return;
    }
    if (asked.isStream) await stream(asked, response, call);
    else {
      call.usd = usdOf(asked, asked.tokensOut);
      await sleep(Math.random() * 5);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(wholeAnswer(asked)));
    }
  }
}

function usdOf({ model, tokensIn, factor }: Asked, tokensOut: number): number {
  const { input = 0, output = 0 } = PRICES[model] ?? {};
  return ((tokensIn * input + tokensOut * output) * factor) / 1e6;
}

/** The request as a provider reads it: the last of two members counts. */
function readAsked(url: string, bytes: Buffer): Asked | undefined {
  let body: Json;
  try {
    body = JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  const [path = ''] = url.split('?', 1);
  const gemini = /models\/([\w.-]+):(generateContent|streamGenerateContent)$/.exec(path);
  const isAzure = path.includes('/deployments/');
  const api = gemini ? 'gemini' : apiOf(path);
  if (api === undefined) return undefined;
  const model = gemini?.[1] ?? (isAzure || body.model === 'our-alias' ? 'gpt-4o' : body.model);
  if (PRICES[model] === undefined) return undefined;
  const wanted = Number(/out:(\d+)/.exec(bytes.toString())?.[1] ?? 50);
  const bound =
    body.max_completion_tokens ??
    body.max_tokens ??
    body.max_output_tokens ??
    body.generationConfig?.maxOutputTokens ??
    MOST_TOKENS;
  return {
    api,
    model,
    body,
    isStream: gemini ? gemini[2] === 'streamGenerateContent' : body.stream === true,
    // What the gateway adds to a request is no input of the model.
    tokensIn: Math.ceil(promptBytes(body) / BYTES_PER_TOKEN),
    tokensOut: Math.min(wanted, bound, MOST_TOKENS) * (body.n ?? 1),
    factor: body.service_tier === 'priority' && api !== 'messages' ? PRIORITY : 1,
  };
}

function promptBytes({ messages, input, contents }: Json): number {
  return Buffer.byteLength(JSON.stringify(messages ?? input ?? contents));
}

function apiOf(path: string): Api | undefined {
  if (/\/chat\/completions\/?$/.test(path)) return 'chat';
  if (/\/responses\/?$/.test(path)) return 'responses';
  return /\/messages\/?$/.test(path) ? 'messages' : undefined;
}

const tierOf = ({ factor }: Asked) => ({ service_tier: factor === 1 ? 'default' : 'priority' });

function usageOf({ api, tokensIn: input }: Asked, output: number): object {
  switch (api) {
    case 'chat':
      return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    case 'responses':
      return { input_tokens: input, output_tokens: output, input_tokens_details: {} };
    case 'messages':
      return { input_tokens: input, output_tokens: output };
    case 'gemini':
      return { promptTokenCount: input, candidatesTokenCount: output };
  }
}

function wholeAnswer(asked: Asked): object {
  const { api, model, body, tokensOut } = asked;
  const text = TOKEN.repeat(tokensOut);
  const usage = usageOf(asked, tokensOut);
  switch (api) {
    case 'chat': {
      const message = { role: 'assistant', content: text };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return { id: 'c', object: 'chat.completion', model, choices, usage, ...tierOf(asked) };
    }
    case 'responses': {
      const base = { id: 'r', object: 'response', model, ...tierOf(asked) };
      if (body.background === true) return { ...base, status: 'queued', output: [], usage: null };
      const output = [{ type: 'message', content: [{ type: 'output_text', text }] }];
      return { ...base, status: 'completed', output, usage };
    }
    case 'messages': {
      const content = [{ type: 'text', text }];
      return { id: 'm', type: 'message', role: 'assistant', model, content, usage };
    }
    case 'gemini': {
      const candidates = [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }];
      return { candidates, usageMetadata: usage, modelVersion: model };
    }
  }
}

async function stream(asked: Asked, response: ServerResponse, call: ServedCall): Promise<void> {
  let isOpen = true;
  response.once('close', () => (isOpen = false));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of begin(asked)) response.write(event);
  call.usd = usdOf(asked, 0);
  let sent = 0;
  while (sent < asked.tokensOut) {
    const tokens = Math.min(1 + Math.floor(Math.random() * 8), asked.tokensOut - sent);
    sent += tokens;
    call.usd = usdOf(asked, sent);
    if (!response.write(part(asked, TOKEN.repeat(tokens), sent))) {
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    await sleep(1);
    if (!isOpen) {
      call.isBrokenOff = true;
      return;
    }
  }
  for (const event of end(asked)) response.write(event);
  response.end();
}

const data = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: { type: string } & Record<string, unknown>): string =>
  `event: ${event.type}\n${data(event)}`;

function begin(asked: Asked): string[] {
  const { api, model } = asked;
  if (api === 'messages') {
    const message = {
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      usage: usageOf(asked, 1),
    };
    const block = { type: 'text', text: '' };
    return [
      named({ type: 'message_start', message }),
      named({ type: 'content_block_start', index: 0, content_block: block }),
    ];
  }
  if (api !== 'responses') return [];
  return [named({ type: 'response.created', response: { id: 'r', model, ...tierOf(asked) } })];
}

function part(asked: Asked, text: string, sent: number): string {
  const { api, model } = asked;
  switch (api) {
    case 'chat': {
      const choices = [{ index: 0, delta: { content: text }, finish_reason: null }];
      return data({ id: 'c', object: 'chat.completion.chunk', model, choices, ...tierOf(asked) });
    }
    case 'responses':
      return named({ type: 'response.output_text.delta', item_id: 'i', delta: text });
    case 'messages': {
      const delta = { type: 'text_delta', text };
      return named({ type: 'content_block_delta', index: 0, delta });
    }
    case 'gemini': {
      const content = { role: 'model', parts: [{ text }] };
      const isLast = sent === asked.tokensOut;
      const candidates = [{ content, ...(isLast && { finishReason: 'STOP' }) }];
      return data({ candidates, usageMetadata: usageOf(asked, sent), modelVersion: model });
    }
  }
}

function end(asked: Asked): string[] {
  const { api, model, body, tokensOut } = asked;
  const usage = usageOf(asked, tokensOut);
  switch (api) {
    case 'chat': {
      const chunk = { id: 'c', object: 'chat.completion.chunk', model, ...tierOf(asked) };
      const told = body.stream_options?.include_usage === true;
      return [
        data({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
        ...(told ? [data({ ...chunk, choices: [], usage })] : []),
        'data: [DONE]\n\n',
      ];
    }
    case 'responses': {
      const response = { id: 'r', status: 'completed', model, usage, ...tierOf(asked) };
      return [named({ type: 'response.completed', response })];
    }
    case 'messages':
      return [
        named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
        named({ type: 'message_stop' }),
      ];
    case 'gemini':
      return [];
  }
}
