/** A member of an object near the top of a JSON text. */
export interface Member {
  /** Of its object: 1 is the text's outermost one. */
  depth: number;
  name: string;
  value: unknown;
}

/** Whether a member is looked for; what is not is skipped unparsed. */
export type IsWanted = (name: string, depth: number) => boolean;

const MAX_DEPTH = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;

/**
 * The complete members at the depths 1 and 2 of a JSON text that may break off at any place, in their
 * order. Names with escapes in them are not found.
 */
export function membersFromStart(text: string, isWanted: IsWanted): Member[] {
  const members: Member[] = [];
  let open: { name: string; depth: number; start: number } | undefined;
  const close = (end: number) => {
    if (open !== undefined) addMember(members, open.name, open.depth, text.slice(open.start, end));
    open = undefined;
  };
  let depth = 0;
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      const end = closingQuote(text, position);
      if (end < 0) break;
      const colon = skipSpace(text, end + 1);
      const name = text.slice(position + 1, end);
      position = end;
      if (open !== undefined || depth > MAX_DEPTH || text.charCodeAt(colon) !== COLON) continue;
      if (isWanted(name, depth)) open = { name, depth, start: colon + 1 };
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth++;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      if (open?.depth === depth) close(position);
      depth--;
    } else if (code === COMMA && open?.depth === depth) {
      close(position);
    }
  }
  return members;
}

/**
 * The same for a JSON text that may begin at any place. It is read backwards, since its end lies
 * outside of all strings. When that is not so (the text broke off in a string), inside and outside are
 * mistaken for each other: what looks like a name then is structure, and an escaped quote, which
 * would set that right in the midst of objects of unknown depth, ends the reading. So nothing that
 * was text is ever taken for a member.
 */
export function membersFromEnd(text: string, isWanted: IsWanted): Member[] {
  const members: Member[] = [];
  // Where the member that is being read ends, by depth.
  const ends: number[] = [];
  let colon = -1;
  let depth = 0;
  for (let position = text.length - 1; position >= 0; position--) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      const start = isEscaped(text, position) ? -1 : openingQuote(text, position);
      if (start < 0) break;
      const name = text.slice(start + 1, position);
      if (colon >= 0 && depth >= 1 && depth <= MAX_DEPTH && isWanted(name, depth)) {
        addMember(members, name, depth, text.slice(colon + 1, ends[depth]));
      }
      position = start;
      colon = -1;
    } else if (code === COLON) {
      colon = position;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      depth++;
      if (depth <= MAX_DEPTH) ends[depth] = position;
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      depth--;
    } else if (code === COMMA) {
      if (depth <= MAX_DEPTH) ends[depth] = position;
    }
  }
  return members.toReversed();
}

function addMember(members: Member[], name: string, depth: number, literal: string): void {
  try {
    members.push({ depth, name, value: JSON.parse(literal) });
  } catch {
    // No JSON after all: nothing can be said of it.
  }
}

function closingQuote(text: string, opening: number): number {
  let quote = text.indexOf('"', opening + 1);
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote;
}

function openingQuote(text: string, closing: number): number {
  let quote = closing;
  do quote = quote === 0 ? -1 : text.lastIndexOf('"', quote - 1);
  while (quote >= 0 && isEscaped(text, quote));
  return quote;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function skipSpace(text: string, start: number): number {
  let position = start;
  while (' \n\r\t'.includes(text.charAt(position)) && position < text.length) position++;
  return position;
}
