/**
 * Removes all trailing occurrences of some characters in linear time. A regular expression such as
 * `/=+$/` takes quadratic time on a text that contains long runs of the characters elsewhere.
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}
