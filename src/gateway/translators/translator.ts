import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { JsonObject } from '../json/json-fields.ts';

/** One server-sent event; `event` is left out where the stream names none. */
export interface ServerSentEvent {
  event?: string;
  data: string;
}

/** The request of a client, for its translation and that of its response. */
export interface TranslationInput {
  /** The name of the model at the provider. */
  model: string;
  /** The name of the provider in models and paths; left out if unknown. */
  provider?: string;
  /** The body of the client. */
  body: JsonObject;
  nowMs: number;
}

/**
 * Translates between the API of a client and the API of a provider. It rejects each parameter that the
 * provider's API cannot express, and may omit hints.
 */
export interface Translator {
  /**
   * Translates a request for the provider.
   * @throws UntranslatableError if the API of the provider cannot express the request
   */
  request(input: TranslationInput): JsonObject;
  /**
   * Translates a whole response with a status below 400 for the client.
   * @returns undefined if the body is not a response of the API, despite its status
   */
  response(response: JsonObject, input: TranslationInput): JsonObject | undefined;
  /** Translates a response with a status of 400 or more for the client. */
  error(status: number, text: string): JsonObject;
  /** Creates the translation of one stream. */
  stream(input: TranslationInput): StreamTranslation;
}

/** Translates the events of one stream. */
export interface StreamTranslation {
  /** Returns the client's events for one of the provider's: often none, or several. */
  event(event: ServerSentEvent): ServerSentEvent[];
  /** Returns the remaining events when the stream of the provider has ended. */
  end(): ServerSentEvent[];
}

const MAX_REASON_CHARACTERS = 1_000;

/** Error 2024: the API of the provider cannot express the request. */
export class UntranslatableError extends GatewayError {
  /** The place in the request, and the problem; the message without its beginning. */
  readonly reason: string;

  /**
   * @param reason may quote the request
   * @param details further members of the error for clients of the Anthropic API, some of which react to them
   */
  constructor(reason: string, details?: JsonObject) {
    const { untranslatable } = gatewayErrors;
    const message = `${untranslatable.message}: ${reason.slice(0, MAX_REASON_CHARACTERS)}`;
    super(untranslatable, { message, details });
    this.reason = reason;
  }
}

/**
 * Combines two translators: from the API of the client to a common one, and from there to the API of the provider.
 */
export function chain(outer: Translator, inner: Translator): Translator {
  const between = (input: TranslationInput): TranslationInput => ({
    ...input,
    body: outer.request(input),
  });
  return {
    request: (input) => inner.request(between(input)),
    response(response, input) {
      const common = inner.response(response, between(input));
      return common && outer.response(common, input);
    },
    error: (status, text) => outer.error(status, JSON.stringify(inner.error(status, text))),
    stream(input) {
      const first = inner.stream(between(input));
      const second = outer.stream(input);
      return {
        event: (event) => first.event(event).flatMap((one) => second.event(one)),
        end: () => [...first.end().flatMap((one) => second.event(one)), ...second.end()],
      };
    },
  };
}
