/** Wording that texts and documentation no longer use, with the replacement that an error message suggests. */
export interface RetiredWord {
  pattern: RegExp;
  instead: string;
}

/** Retired wording. docs/glossary.md defines the terms that replace it. */
export const retiredWords: readonly RetiredWord[] = [
  { pattern: /\bcallers?\b/i, instead: 'client, or principal' },
  {
    pattern: /\b(?:whoever|whomever|anybody|somebody|nobody|everybody|no one)\b/i,
    instead: 'user, client or administrator',
  },
  { pattern: /\b(?:for|of|by|to) whom\b/i, instead: 'the noun' },
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, return or state' },
  { pattern: /\b(?:lends?|lent|lending)\b/i, instead: 'provide or resolve' },
  { pattern: /\b(?:hears?|heard)\b/i, instead: 'receive' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: 'continue' },
  { pattern: /\bhand(?:s|ed|ing)? over\b/i, instead: 'transfer' },
  { pattern: /\bstands? (?:in|for|there|beside|behind)\b/i, instead: 'mean, or be in' },
  { pattern: /\bstays? (?:so|as it is)\b/i, instead: 'remain unchanged' },
  { pattern: /\btakes? (?:its|their) place\b/i, instead: 'replace' },
  {
    pattern: /\b(?:anew|hitherto|whence|thereof|therein|thereby)\b/i,
    instead: 'again, or the noun',
  },
  { pattern: /\bmeanwhile\b/i, instead: 'during, or while' },
  { pattern: /\b(?:wherever|whichever)\b/i, instead: 'the noun' },
  { pattern: /\b(?:of ours|of theirs)\b/i, instead: 'our, or their' },
  { pattern: /\b(?:deeds?|glances?|riddles?|outlets?)\b/i, instead: 'action, summary, or sink' },
  { pattern: /\bworth nothing\b/i, instead: 'no longer work' },
  { pattern: /\b(?:what|that there) (?:is|are) there\b/i, instead: 'the noun' },
  { pattern: /\bis there\b/i, instead: 'exist' },
  {
    pattern: /\b(?:the one that|the ones that|that which|all that|those that)\b/i,
    instead: 'the noun',
  },
  { pattern: /\bnot? (?:any|there) (?:more|yet)\b/i, instead: 'no longer, or not yet' },
  { pattern: /\bnothing (?:but|of|more)\b/i, instead: 'only' },
  { pattern: /\bhand(?:s|ed)? out\b/i, instead: 'issue' },
];
