/** A JSON object as it was parsed: nothing is known of its fields. */
export type JsonObject = Record<string, unknown>;

/** One server-sent event; `event` is left out where the stream names none. */
export interface ServerSentEvent {
  event?: string;
  data: string;
}

/** The request that an answer belongs to. */
export interface Asked {
  /** As the provider knows it. */
  model: string;
  /** As models and paths name it; left out where it is not known. */
  provider?: string;
  /** The request as the client wrote it. */
  body: JsonObject;
  nowMs: number;
}

/**
 * Translates between the API of a client and the API of a provider. It rejects each parameter that the
 * provider's API cannot express, and may omit hints.
 */
export interface Translation {
  /**
   * The client's request for the provider.
   * @throws UntranslatableError when the provider's API cannot say it
   */
  request(asked: Asked): JsonObject;
  /**
   * A whole answer with a status below 400 for the client.
   * @returns undefined when it is none, whatever its status says
   */
  answer(answer: JsonObject, asked: Asked): JsonObject | undefined;
  /** An answer with a status of 400 or more for the client. */
  error(status: number, text: string): JsonObject;
  /** Translates one stream. */
  stream(asked: Asked): StreamTranslation;
}

/** Translates the events of one stream, which may have been split and joined on the way. */
export interface StreamTranslation {
  /** The client's events for one of the provider's; often none, or several. */
  event(event: ServerSentEvent): ServerSentEvent[];
  /** What is still to be said when the provider's stream has ended. */
  end(): ServerSentEvent[];
}

/** A request that the provider's API has no words for: the client's mistake, told as status 400. */
export class UntranslatableError extends Error {
  /** What clients of the Anthropic API read beside the message; some know what to do about it. */
  readonly details: JsonObject | undefined;

  constructor(message: string, details?: JsonObject) {
    super(message);
    this.details = details;
  }
}

/** The client speaks the first's API, the provider that of the second; between them lies a common one. */
export function chain(outer: Translation, inner: Translation): Translation {
  const between = (asked: Asked): Asked => ({ ...asked, body: outer.request(asked) });
  return {
    request: (asked) => inner.request(between(asked)),
    answer(answer, asked) {
      const said = inner.answer(answer, between(asked));
      return said && outer.answer(said, asked);
    },
    error: (status, text) => outer.error(status, JSON.stringify(inner.error(status, text))),
    stream(asked) {
      const first = inner.stream(between(asked));
      const second = outer.stream(asked);
      return {
        event: (event) => first.event(event).flatMap((one) => second.event(one)),
        end: () => [...first.end().flatMap((one) => second.event(one)), ...second.end()],
      };
    },
  };
}
