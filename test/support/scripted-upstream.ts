import { startUpstream } from './upstream-process.ts';

/** One thing that a scripted provider does. A text is sent as it is. */
export type Action =
  | string
  | { base64: string }
  | { waitMs: number }
  /** Sends so many bytes, all of them `x`, as fast as they are taken. */
  | { fillBytes: number }
  | { awaits: 'release' }
  | { ends: 'reset' | 'hang' };

/** Goes on when {@link ScriptedUpstream.release} is called. */
export const AWAIT_RELEASE: Action = { awaits: 'release' };

/** Breaks the connection with a reset. */
export const RESET: Action = { ends: 'reset' };
/** Does nothing any more, and keeps the connection. */
export const HANG: Action = { ends: 'hang' };

export interface ScriptedRequest {
  /** Of the script. */
  name: string;
  method: string;
  url: string;
  /** Alternating names and values, as sent. */
  headers: string[];
  body: string;
  /** The caller closed the connection before the script was over. */
  isAborted: boolean;
}

/** A provider in a process of its own that answers in the bytes that a test writes down. */
export interface ScriptedUpstream {
  origin: string;
  /**
   * Says from now on what requests for a model, or for a last segment of a path, are answered: one
   * script for each of them in turn, the last one for all that follow. The connection is closed after
   * a script.
   */
  set(name: string, ...attempts: Action[][]): Promise<void>;
  /** What it was sent so far. */
  requests(name: string): Promise<ScriptedRequest[]>;
  /** Lets the scripts that wait go on. */
  release(): Promise<void>;
  stop(): Promise<void>;
}

export async function startScriptedUpstream(): Promise<ScriptedUpstream> {
  const upstream = await startUpstream('scripted-upstream-server.ts');
  const { origin } = new URL(upstream.baseUrl);
  const control = async (command: string, body?: unknown): Promise<unknown> => {
    const url = `${origin}/control/${command}`;
    return (await fetch(url, { method: 'POST', body: JSON.stringify(body ?? {}) })).json();
  };
  return {
    origin,
    async set(name, ...attempts) {
      await control('scripts', { [name]: attempts });
    },
    async requests(name) {
      const all = (await control('requests')) as ScriptedRequest[];
      return all.filter((request) => request.name === name);
    },
    async release() {
      await control('release');
    },
    stop: () => upstream.stop(),
  };
}

/** A whole answer as it goes over the wire. */
export function answer(
  status: number,
  body: string | object = '',
  headers: Record<string, string> = {},
): Action[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return [
    head(status, {
      'content-type': type,
      'content-length': String(Buffer.byteLength(text)),
      ...headers,
    }) + text,
  ];
}

/** The head of an answer, with the empty line behind it. */
export function head(status: number, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`;
}

/** A chat completion, as the OpenAI API answers it. */
export const completion = (content = 'hello'): object => ({
  id: 'chatcmpl-scripted',
  object: 'chat.completion',
  created: 1,
  model: 'scripted',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
});

/** The same from the Anthropic API. */
export const message = (content = 'hello'): object => ({
  id: 'msg_scripted',
  type: 'message',
  role: 'assistant',
  model: 'scripted',
  content: [{ type: 'text', text: content }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 11, output_tokens: 7 },
});

/** One event of a stream. */
export const event = (value: object | string, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

/** An event of a streamed chat completion. */
export const delta = (content: string): string =>
  event({
    id: 'chatcmpl-scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }],
  });

export const EVENT_STREAM = { 'content-type': 'text/event-stream' };
