/**
 * A text as case-insensitive comparison sees it: two texts that differ in case alone fold to the
 * same one, in every script. So do the composed and the decomposed form of a text (Unicode NFC). Done here and not in SQL, since the two databases fold differently.
 * Up and down again, because some letters have no partner of one letter (`ß` and `SS`); the two
 * small sigmas are one letter that is written by its place in the word, which a part of a word
 * does not know.
 */
export function foldCase(text: string): string {
  const composed = text.normalize('NFC');
  return composed.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
