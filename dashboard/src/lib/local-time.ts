/** Length of `2026-01-31T12:00`. */
const TO_THE_MINUTE = 16;

/** A moment as `datetime-local` fields have it, in the person's own time zone. */
export function toLocalField(time: string): string {
  const date = new Date(time);
  const localMs = date.getTime() - date.getTimezoneOffset() * 60_000;
  return new Date(localMs).toISOString().slice(0, TO_THE_MINUTE);
}

/** The moment that such a field names, in UTC; undefined while it is not filled in. */
export function fromLocalField(text: string): string | undefined {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
