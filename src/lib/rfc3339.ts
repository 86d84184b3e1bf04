const RFC3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Reads an RFC 3339 date-time.
 * @returns milliseconds since the Unix epoch, or undefined when the text is none or names no real day
 */
export function parseRfc3339(text: string): number | undefined {
  if (!RFC3339.test(text)) return undefined;
  const timeMs = Date.parse(text.toUpperCase());
  if (Number.isNaN(timeMs)) return undefined;
  // Date.parse takes 30 February for 1 March: compare the day with the month's length.
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const daysInMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= daysInMonth ? timeMs : undefined;
}
