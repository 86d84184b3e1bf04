import type { ErrorDefinition } from '../../http/errors.ts';
import { measureJson } from '../../http/parse-json.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import { TooManyValuesError, parseRequestJson } from '../translation/exact-json.ts';
import { isObject, objectIn } from '../translation/json-fields.ts';
import type { MessageIds } from './websocket-outlet.ts';

/** What a client asks for in one message. */
export interface UniversalCreate {
  ids: MessageIds;
  /** As the body of a universal request over HTTP. */
  body: Buffer;
}

/** Why a message is refused, and whose it was as far as that can be told. */
export interface CreateRefusal {
  ids: MessageIds;
  definition: ErrorDefinition;
}

const TYPE = 'universal.create';
const MAX_EVENT_ID_LENGTH = 256;
// Around a provider's own request: the list of steps, the step, the message.
const LEVELS_AROUND = 3;

/** Reads `{type: "universal.create", request: {eventId?, …} | [{eventId?, …}, …]}`. */
export function readCreate(text: string, maxDepth: number): UniversalCreate | CreateRefusal {
  if (measureJson(text).depth > maxDepth + LEVELS_AROUND) {
    return refusal({}, 'the message is nested too deep');
  }
  let message: unknown;
  try {
    message = parseRequestJson(text);
  } catch (error) {
    if (error instanceof TooManyValuesError) return refusal({}, error.message);
  }
  if (!isObject(message)) return refusal({}, 'a message must be a JSON object');
  const { type, request } = message;
  const list = Array.isArray(request) ? (request as unknown[]) : [request];
  const { eventId } = objectIn(list[0]);
  const isEventId = typeof eventId === 'string' && eventId.length <= MAX_EVENT_ID_LENGTH;
  const ids = isEventId && eventId !== '' ? { eventId } : {};
  if (type !== TYPE) return refusal(ids, `type must be "${TYPE}"`);
  if (eventId !== undefined && ids.eventId === undefined) {
    return refusal(ids, `eventId must have 1 to ${MAX_EVENT_ID_LENGTH} characters`);
  }
  if (!list.every(isObject)) return refusal(ids, 'request must be one step or a list of steps');
  return { ids, body: Buffer.from(JSON.stringify(list)) };
}

function refusal(ids: MessageIds, reason: string): CreateRefusal {
  const { badBody } = gatewayErrors;
  return { ids, definition: { ...badBody, message: `Bad format: ${reason}` } };
}
