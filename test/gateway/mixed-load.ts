import assert from 'node:assert/strict';
import { Pool } from 'undici';
import type { Installation, ServerProcess } from '../support/server-process.ts';

/** A row that the log must have, and where its tokens come from. */
export interface ExpectedRow {
  eventId: string;
  step: number;
  status: number;
  /** The request whose tokens it tells; undefined: nobody told any. */
  servedId: string | undefined;
  isReplay: boolean;
  hasCustomCost: boolean;
}

/** US dollars for a token in and out, of those requests that name their own price. */
export const CUSTOM_COST = { per_token_in: 0.000_001, per_token_out: 0.000_002 };

const CHAT_MODEL = 'gpt-4o-mini';
const EMBEDDING_MODEL = 'text-embedding-3-small';
const CLAUDE_MODEL = 'claude-3-5-haiku-latest';
const GEMINI_MODEL = 'gemini-2.0-flash';

/** The models, and what the price table calls their providers. */
export const MODELS = new Map([
  [CHAT_MODEL, 'openai'],
  [EMBEDDING_MODEL, 'openai'],
  [CLAUDE_MODEL, 'anthropic'],
  [GEMINI_MODEL, 'google'],
]);

interface Call {
  path: string;
  body: object;
  headers?: Record<string, string>;
  status?: number;
  /** The client leaves when it has the first event. */
  isAborted?: boolean;
  /** Default: one, as the answer is. */
  rows?: Partial<ExpectedRow>[];
}

/** Requests as they are sent, many at a time over few connections, and the rows that they must leave. */
export class MixedLoad {
  readonly rows: ExpectedRow[] = [];
  readonly #pool: Pool;
  readonly #rest: string;
  readonly #host: string;
  readonly #credential: string;
  requests = 0;

  constructor(
    { origin }: Pick<ServerProcess, 'origin'>,
    { accountId, token }: Pick<Installation, 'accountId' | 'token'>,
    connections: number,
  ) {
    this.#pool = new Pool(origin, { connections, pipelining: 1 });
    this.#rest = `/client/v4/accounts/${accountId}/ai/v1`;
    this.#host = `/v1/${accountId}/default`;
    this.#credential = `Bearer ${token}`;
  }

  /** Sends so many requests, of all kinds. */
  async send(count: number, concurrency: number): Promise<void> {
    const next = { index: 0 };
    const work = async (): Promise<void> => {
      while (this.requests < count) {
        const index = next.index++;
        const kind = KINDS[index % KINDS.length];
        assert.ok(kind);
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await this[kind](`r${index}`);
      }
    };
    try {
      await Promise.all(Array.from({ length: concurrency }, work));
    } finally {
      await this.#pool.destroy();
    }
  }

  async chat(id: string): Promise<void> {
    await this.#call(id, { path: `${this.#rest}/chat/completions`, body: chatBody(id) });
  }

  async nativeChat(id: string): Promise<void> {
    const { model: _model, ...body } = chatBody(id);
    const path = `${this.#host}/openai/chat/completions`;
    await this.#call(id, { path, body: { ...body, model: CHAT_MODEL } });
  }

  async chatStream(id: string): Promise<void> {
    // Half of the clients do not ask for the usage.
    const asks = Number(id.slice(1)) % 2 === 0;
    const body = { ...chatBody(id), stream: true, ...(asks && ASKS_FOR_USAGE) };
    await this.#call(id, { path: `${this.#rest}/chat/completions`, body });
  }

  async translatedChat(id: string): Promise<void> {
    const stream = Number(id.slice(1)) % 2 === 0;
    const model = `anthropic/${CLAUDE_MODEL}`;
    const body = { ...chatBody(id), model, max_tokens: 9, stream };
    await this.#call(id, { path: `${this.#rest}/chat/completions`, body });
  }

  async messages(id: string): Promise<void> {
    const body = { ...messagesBody(id), model: `anthropic/${CLAUDE_MODEL}` };
    await this.#call(id, { path: `${this.#rest}/messages`, body });
  }

  async messagesStream(id: string): Promise<void> {
    const path = `${this.#host}/anthropic/v1/messages`;
    const headers = { 'anthropic-version': '2023-06-01' };
    await this.#call(id, { path, headers, body: { ...messagesBody(id), stream: true } });
  }

  async gemini(id: string): Promise<void> {
    const path = `${this.#host}/google-ai-studio/v1beta/models/${GEMINI_MODEL}:generateContent`;
    await this.#call(id, { path, body: geminiBody(id) });
  }

  async geminiStream(id: string): Promise<void> {
    const verb = 'streamGenerateContent?alt=sse';
    const path = `${this.#host}/google-ai-studio/v1beta/models/${GEMINI_MODEL}:${verb}`;
    await this.#call(id, { path, body: geminiBody(id) });
  }

  async embeddings(id: string): Promise<void> {
    const body = { model: `openai/${EMBEDDING_MODEL}`, input: `${id}:ok` };
    await this.#call(id, { path: `${this.#rest}/embeddings`, body });
  }

  async customCost(id: string): Promise<void> {
    const headers = { 'cf-aig-custom-cost': JSON.stringify(CUSTOM_COST) };
    const path = `${this.#rest}/chat/completions`;
    await this.#call(id, { path, headers, body: chatBody(id), rows: [{ hasCustomCost: true }] });
  }

  async abortedChat(id: string): Promise<void> {
    const body = { ...chatBody(id, 'break'), stream: true, ...ASKS_FOR_USAGE };
    await this.#call(id, { path: `${this.#rest}/chat/completions`, body, isAborted: true });
  }

  async abortedMessages(id: string): Promise<void> {
    const path = `${this.#host}/anthropic/v1/messages`;
    await this.#call(id, {
      path,
      body: { ...messagesBody(id, 'break'), stream: true },
      isAborted: true,
    });
  }

  async failing(id: string): Promise<void> {
    const path = `${this.#rest}/chat/completions`;
    await this.#call(id, { path, body: chatBody(id, 'fail'), status: 500 });
  }

  async retried(id: string): Promise<void> {
    const headers = { 'cf-aig-max-attempts': '2', 'cf-aig-retry-delay': '0' };
    await this.#call(id, {
      path: `${this.#rest}/chat/completions`,
      headers,
      body: chatBody(id, 'again'),
    });
  }

  async fallback(id: string): Promise<void> {
    const entry = (mode: string) => ({
      provider: 'openai',
      endpoint: 'chat/completions',
      query: { ...chatBody(id, mode), model: CHAT_MODEL },
    });
    const body = [entry('fail'), entry('ok')];
    const rows = [{ step: 0, status: 500, servedId: undefined }, { step: 1 }];
    await this.#call(id, { path: this.#host, body, rows });
  }

  /** One request that is answered by its provider, and some like it that the cache answers. */
  async repeated(id: string): Promise<void> {
    const path = `${this.#rest}/chat/completions`;
    const headers = { 'cf-aig-cache-ttl': '600' };
    await this.#call(id, { path, headers, body: chatBody(id) });
    for (const repetition of ['b', 'c', 'd', 'e']) {
      const rows = [{ servedId: id, isReplay: true }];
      await this.#call(`${id}${repetition}`, { path, headers, body: chatBody(id), rows });
    }
  }

  async #call(eventId: string, call: Call): Promise<void> {
    this.requests++;
    const { status = 200, isAborted = false } = call;
    const response = await this.#pool.request({
      method: 'POST',
      path: call.path,
      headers: {
        'content-type': 'application/json',
        'cf-aig-authorization': this.#credential,
        authorization: this.#credential,
        'cf-aig-event-id': eventId,
        ...call.headers,
      },
      body: JSON.stringify(call.body),
    });
    let text = '';
    for await (const chunk of response.body) {
      text += String(chunk);
      if (isAborted && text.includes('\n\n')) break;
    }
    assert.equal(response.statusCode, status, text);
    for (const row of call.rows ?? [{}]) {
      this.rows.push({
        eventId,
        step: 0,
        status: isAborted ? 499 : status,
        servedId: status === 200 ? eventId : undefined,
        isReplay: false,
        hasCustomCost: false,
        ...row,
      });
    }
  }
}

const ASKS_FOR_USAGE = { stream_options: { include_usage: true } };

function chatBody(id: string, mode = 'ok') {
  const messages = [{ role: 'user', content: `${id}:${mode}` }];
  return { model: `openai/${CHAT_MODEL}`, messages };
}

function messagesBody(id: string, mode = 'ok') {
  const messages = [{ role: 'user', content: `${id}:${mode}` }];
  return { model: CLAUDE_MODEL, max_tokens: 9, messages };
}

function geminiBody(id: string) {
  return { contents: [{ role: 'user', parts: [{ text: `${id}:ok` }] }] };
}

/** How many of a round are of which kind. */
const SHARES = {
  chat: 20,
  nativeChat: 15,
  chatStream: 15,
  translatedChat: 6,
  messages: 6,
  messagesStream: 6,
  gemini: 5,
  geminiStream: 5,
  embeddings: 5,
  customCost: 3,
  abortedChat: 2,
  abortedMessages: 1,
  failing: 3,
  retried: 2,
  fallback: 2,
  repeated: 1,
} as const;

type Kind = keyof typeof SHARES;

const KINDS: readonly Kind[] = Object.entries(SHARES).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Kind),
);
