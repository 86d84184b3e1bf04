import { type CalledGateway, callGateway } from '../../../api/gateway-call.ts';
import { ChatStream, type Piece, readCompletion } from './chat-answer.ts';
import { type Answer, NOTHING_YET } from './conversation.ts';
import { type Fault, faultInStream, faultOf, faultOfFailure } from './fault.ts';
import { labels } from './labels.ts';

/** A question that is ready to be sent. */
export interface Question {
  gateway: CalledGateway;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
}

// Often enough to look as if each word came by itself.
const SHOWN_EVERY_MS = 40;
/** More than anybody reads in a browser. */
const MAX_ANSWER_LENGTH = 500_000;

const TOO_LONG: Fault = {
  title: labels.theResponseIsTooLong,
  message: labels.thePlaygroundStoppedReadingHere,
};

/**
 * Asks, and tells the answer while it comes; whatever happens, it ends with one that is not `coming`.
 * @param show told the whole answer so far, some times a second
 */
export async function ask(
  { gateway, headers, body }: Question,
  stop: AbortSignal,
  show: (answer: Answer) => void,
): Promise<void> {
  const own = new AbortController();
  const signal = AbortSignal.any([stop, own.signal]);
  const answer = new GrowingAnswer(show);
  try {
    const call = { operation: 'chat/completions', headers, body, signal };
    const response = await callGateway(gateway, call);
    answer.begin(response.headers);
    if (!response.ok) {
      answer.fail(faultOf(response.status, response.headers, await response.text()));
    } else if (/^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')) {
      await readStream(response, answer);
    } else {
      readWhole(await response.text(), answer);
    }
  } catch (error) {
    if (stop.aborted) answer.end('stopped');
    else answer.fail(faultOfFailure(error));
  } finally {
    // Whatever of it is still on its way.
    own.abort();
  }
}

function readWhole(body: string, answer: GrowingAnswer): void {
  const piece = readCompletion(body);
  if (piece === undefined) {
    answer.fail({
      title: labels.thisIsNotAChat,
      message: labels.theResponseHasAnUnexpected,
      raw: body.slice(0, MAX_ANSWER_LENGTH),
    });
  } else if (answer.add(piece)) {
    answer.end('whole');
  }
}

async function readStream(response: Response, answer: GrowingAnswer): Promise<void> {
  const stream = new ChatStream();
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const part = await reader?.read();
    const pieces = part?.value === undefined ? stream.end() : stream.read(part.value);
    if (!pieces.every((piece) => answer.add(piece))) return;
    if (stream.isEndless) return answer.fail(TOO_LONG);
    if (part?.value !== undefined) continue;
    if (stream.hasEnded) answer.end('whole');
    else answer.fail(faultOfFailure(undefined));
    return;
  }
}

/** An answer that is shown while it grows. */
class GrowingAnswer {
  readonly #show: (answer: Answer) => void;
  readonly #sentAtMs = performance.now();
  #answer: Answer = NOTHING_YET;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (answer: Answer) => void) {
    this.#show = show;
  }

  begin(headers: Headers): void {
    const logId = headers.get('cf-aig-log-id');
    const isCached = headers.get('cf-aig-cache-status') === 'HIT';
    this.#answer = { ...this.#answer, isCached, ...(logId !== null && { logId }) };
  }

  /** @returns false when no more is wanted */
  add({ text, thoughts, error, ...facts }: Piece): boolean {
    if (error !== undefined) {
      this.fail(faultInStream(error));
      return false;
    }
    const former = this.#answer;
    const isFirst = former.firstMs === undefined && text + thoughts !== '';
    this.#answer = {
      ...former,
      ...facts,
      text: (former.text + text).slice(0, MAX_ANSWER_LENGTH),
      thoughts: (former.thoughts + thoughts).slice(0, MAX_ANSWER_LENGTH),
      ...(isFirst && { firstMs: this.#elapsedMs() }),
    };
    if (former.text.length + text.length > MAX_ANSWER_LENGTH) {
      this.fail(TOO_LONG);
      return false;
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show(this.#answer);
    }, SHOWN_EVERY_MS);
    return true;
  }

  fail(fault: Fault): void {
    this.#answer = { ...this.#answer, fault };
    this.end('failed');
  }

  end(state: Exclude<Answer['state'], 'coming'>): void {
    clearTimeout(this.#timer);
    this.#answer = { ...this.#answer, state, durationMs: this.#elapsedMs() };
    this.#show(this.#answer);
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#sentAtMs);
  }
}
