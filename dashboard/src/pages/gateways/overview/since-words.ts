const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** "since 00:00", in the person's own time zone. */
export function sinceWords(time: string): string {
  return `since ${clock.format(new Date(time))}`;
}
