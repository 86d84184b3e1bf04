const ENCODED = /%([\da-f]{2})/gi;
const MOST_ENCODINGS = 3;

/**
 * Returns a text and what remains of it after each of up to three rounds of percent-decoding (RFC 3986 section 2.1), for
 * checks of texts that a server may decode more than once.
 */
export function decodings(text: string): string[] {
  const all = [text];
  let last = text;
  while (all.length <= MOST_ENCODINGS && last.includes('%')) {
    last = last.replaceAll(ENCODED, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    all.push(last);
  }
  return all;
}
