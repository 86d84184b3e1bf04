import type { ServerSentEvent } from '../translation/translation.ts';

/** A server-sent event as it is written to an event stream. */
export function writeEvent({ event, data }: ServerSentEvent): string {
  const lines = data.replaceAll('\n', '\ndata: ');
  return event === undefined ? `data: ${lines}\n\n` : `event: ${event}\ndata: ${lines}\n\n`;
}
