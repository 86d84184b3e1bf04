import type { ServerSentEvent } from '../translators/translator.ts';

/** Serializes a server-sent event. */
export function writeEvent({ event, data }: ServerSentEvent): string {
  const lines = data.replaceAll('\n', '\ndata: ');
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
}
