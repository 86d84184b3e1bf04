import { measureJson } from '../../../http/parse-json.ts';
import { badBodyError } from '../../routing/body-errors.ts';
import type { GatewayError } from '../../gateway-error.ts';
import { TooManyValuesError, parseRequestJson } from '../../json/exact-json.ts';
import { isObject, objectIn } from '../../json/json-fields.ts';
import type { MessageIds } from './websocket-client-response.ts';

/** One message of a client: a valid request, or the error to report. */
export type UniversalCreate =
  /** `body`: as the body of a universal request over HTTP. */
  | { ids: MessageIds; body: Buffer; error?: undefined }
  | { ids: MessageIds; body?: undefined; error: GatewayError };

const TYPE = 'universal.create';
const MAX_EVENT_ID_LENGTH = 256;
// The levels around the request of a provider: the list of steps, the step, the message.
const LEVELS_AROUND = 3;

/** Reads `{type: "universal.create", request: {eventId?, …} | [{eventId?, …}, …]}`. */
export function readCreate(text: string, maxDepth: number): UniversalCreate {
  if (measureJson(text).depth > maxDepth + LEVELS_AROUND) {
    return invalid({}, 'the message is nested too deep');
  }
  let message: unknown;
  try {
    message = parseRequestJson(text);
  } catch (error) {
    if (error instanceof TooManyValuesError) return invalid({}, error.message);
  }
  if (!isObject(message)) return invalid({}, 'a message must be a JSON object');
  const { type, request } = message;
  const list = Array.isArray(request) ? (request as unknown[]) : [request];
  const { eventId } = objectIn(list[0]);
  const isEventId = typeof eventId === 'string' && eventId.length <= MAX_EVENT_ID_LENGTH;
  const ids = isEventId && eventId !== '' ? { eventId } : {};
  if (type !== TYPE) return invalid(ids, `type must be "${TYPE}"`);
  if (eventId !== undefined && ids.eventId === undefined) {
    return invalid(ids, `eventId must have 1 to ${MAX_EVENT_ID_LENGTH} characters`);
  }
  if (!list.every(isObject)) return invalid(ids, 'request must be one step or a list of steps');
  return { ids, body: Buffer.from(JSON.stringify(list)) };
}

function invalid(ids: MessageIds, reason: string): UniversalCreate {
  return { ids, error: badBodyError(reason) };
}
