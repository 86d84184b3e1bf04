import { describedPattern } from '../http/schema-check.ts';

/** Of accounts, and of whatever else people name: it must fit into a line. */
export const MAX_NAME_LENGTH = 100;

/** Of the first or the last name of a person. */
export const MAX_PERSONAL_NAME_LENGTH = 60;

// Line ends, and what is not seen but hides something or turns the text around it about, as U+202E does.
// The joiners U+200C and U+200D are parts of words and of emoji.
const EXCLUDED = String.raw`\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;

/** A line of text that is not blank and shows what it holds: names stand in the subjects of mails. */
export const NAME_PATTERN = describedPattern(
  `^(?!\\s*$)[^${EXCLUDED}]+$`,
  'must not be blank, and must not contain line breaks or invisible characters',
);
