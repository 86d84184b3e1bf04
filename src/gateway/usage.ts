import { createParser } from 'eventsource-parser';

/** Tokens as the provider counted them; null where it did not say. */
export interface Usage {
  tokensIn: number | null;
  tokensOut: number | null;
}

/** Watches an answer go by and picks the usage out of it, without holding it back. */
export interface UsageReader {
  feed(chunk: Buffer): void;
  /** What was seen so far; call it when the answer has ended, or broke off. */
  read(): Usage;
}

// A larger JSON answer passes on as usual, but its usage is not read.
const MAX_JSON_BYTES = 1024 * 1024;
const MAX_EVENT_CHARACTERS = 1024 * 1024;

const UNKNOWN: Usage = { tokensIn: null, tokensOut: null };

/** The reader for an answer of that content type. */
export function createUsageReader(contentType: string | undefined): UsageReader {
  if (contentType?.startsWith('text/event-stream') === true) return new EventUsageReader();
  if (contentType?.startsWith('application/json') === true) return new JsonUsageReader();
  return { feed() {}, read: () => UNKNOWN };
}

class JsonUsageReader implements UsageReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  feed(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_JSON_BYTES) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  read(): Usage {
    const text = Buffer.concat(this.#chunks).toString();
    return (text.includes('"usage"') ? usageOf(text) : undefined) ?? UNKNOWN;
  }
}

class EventUsageReader implements UsageReader {
  #usage = UNKNOWN;
  #broken = false;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => {
      // Most events carry a few words and no usage: only those that may are parsed.
      if (data.includes('"usage"')) this.#usage = usageOf(data) ?? this.#usage;
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#broken = true;
    },
  });

  feed(chunk: Buffer): void {
    if (!this.#broken) this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  read(): Usage {
    return this.#usage;
  }
}

/** The `usage` of an OpenAI-style answer or chunk. */
function usageOf(text: string): Usage | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const usage = (answer as { usage?: unknown } | null)?.usage;
  if (typeof usage !== 'object' || usage === null) return undefined;
  const counts = usage as Record<string, unknown>;
  return {
    tokensIn: count(counts.prompt_tokens ?? counts.input_tokens),
    tokensOut: count(counts.completion_tokens ?? counts.output_tokens),
  };
}

function count(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}
