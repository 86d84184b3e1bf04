import type { ServerSentEvent } from '../translator.ts';
import type { JsonObject } from '../../json/json-fields.ts';

/** An event of the Messages API, whose name is its type. */
export function messageEvent(type: string, fields: JsonObject): ServerSentEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}
