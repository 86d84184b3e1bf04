/** Longest name of a client, in UTF-16 units as the server counts. */
export const MAX_CLIENT_NAME_LENGTH = 255;

// People decide by the name whom to trust, so nothing may hide in it or turn the text around it.
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
// The blank Braille pattern counts as a symbol.
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
// Emoji are put together with joiners and variation selectors; elsewhere they only hide.
const HIDDEN = new RegExp(
  [
    String.raw`[\p{Default_Ignorable_Code_Point}--[\u200D\p{Variation_Selector}]]`,
    String.raw`(?<!${VISIBLE.source})\p{Variation_Selector}`,
    String.raw`(?<!${VISIBLE.source}\p{Variation_Selector}?)\u200D`,
  ].join('|'),
  'v',
);

/** What is wrong with the name of a client, by the rules of the server; a sentence. */
export function findClientNameFault(name: string): string | undefined {
  if (name === '') return 'Enter a name. Users see it when they are asked for consent.';
  if (name.length > MAX_CLIENT_NAME_LENGTH) {
    return `A name has at most ${MAX_CLIENT_NAME_LENGTH} characters. This name has ${name.length}.`;
  }
  if (UNSHOWABLE.test(name) || HIDDEN.test(name)) {
    return 'The name contains an invisible character. Type the name instead of pasting it.';
  }
  return VISIBLE.test(name) ? undefined : 'The name has no visible characters.';
}
