/** Returns a text as searches compare it: without a difference of case, or of composed and decomposed letters. */
export function searchable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
