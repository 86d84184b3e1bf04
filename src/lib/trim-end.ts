/**
 * Removes every trailing occurrence of one character in linear time. A regular expression such as
 * `/=+$/` takes quadratic time on a text that contains long runs of the character elsewhere.
 */
export function trimEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
