/** Of accounts, and of whatever else people name: it must fit into a line. */
export const MAX_NAME_LENGTH = 100;

/** A line of text that is not blank: names stand in the subjects of mails. */
export const NAME_PATTERN = String.raw`^[^\p{Cc}\p{Cs}\u2028\u2029]*[^\s\p{Cc}\p{Cs}][^\p{Cc}\p{Cs}\u2028\u2029]*$`;
