import { createHash } from 'node:crypto';

/** How much of a value is kept. */
interface Bounds {
  /** Characters of a text, or of the name of a field. */
  text: number;
  /** Elements of an array in the first levels, where what matters stands. */
  items: number;
  /** Elements of an array below. */
  deepItems: number;
  /** Fields of an object. */
  fields: number;
  /** Levels of arrays and objects. */
  levels: number;
}

const FIRST_LEVELS = 3;

// Each is tried when what the one before leaves is too long: what is deep goes first. The last leaves
// ten thousand characters at most, also of such as JSON writes in six.
const STEPS: readonly Bounds[] = [
  { text: 256, items: 50, deepItems: 50, fields: 100, levels: 16 },
  { text: 256, items: 50, deepItems: 50, fields: 100, levels: 5 },
  { text: 64, items: 50, deepItems: 50, fields: 100, levels: 5 },
  { text: 64, items: 50, deepItems: 20, fields: 50, levels: 5 },
  { text: 48, items: 50, deepItems: 10, fields: 50, levels: 5 },
  { text: 48, items: 50, deepItems: 5, fields: 50, levels: 5 },
  { text: 48, items: 50, deepItems: 2, fields: 25, levels: 5 },
  { text: 32, items: 20, deepItems: 2, fields: 25, levels: 4 },
  { text: 32, items: 5, deepItems: 1, fields: 20, levels: 3 },
  { text: 16, items: 3, deepItems: 1, fields: 6, levels: 2 },
];

/**
 * Shortens the JSON of an object or an array. Of what is cut, the beginning stays with a note of how
 * much there was; `_shortened` has the length and the SHA-256 of the whole, so that whoever still has
 * it can show what it was.
 * @param maxLength in characters, at least 12,000
 */
export function shortenJson(json: string, maxLength: number): string {
  const whole = JSON.parse(json) as object;
  const sha256 = createHash('sha256').update(json).digest('hex');
  const note = { _shortened: { characters: json.length, sha256 } };
  let shortened = '';
  for (const bounds of STEPS) {
    const kept = shorten(whole, bounds, 0);
    shortened = JSON.stringify(
      Array.isArray(kept) ? [...(kept as unknown[]), note] : { ...(kept as object), ...note },
    );
    if (shortened.length <= maxLength) break;
  }
  return shortened;
}

function shorten(value: unknown, bounds: Bounds, level: number): unknown {
  if (typeof value === 'string') return shortenText(value, bounds.text);
  if (typeof value !== 'object' || value === null) return value;
  if (level >= bounds.levels) return describe(value);
  return Array.isArray(value)
    ? shortenArray(value, bounds, level)
    : shortenObject(value, bounds, level);
}

function shortenText(text: string, length: number): string {
  if (text.length <= length) return text;
  // A text that is cut may end in half a character.
  return `${text.slice(0, length).toWellFormed()}… (${text.length} characters)`;
}

function shortenArray(array: readonly unknown[], bounds: Bounds, level: number): unknown[] {
  const count = level < FIRST_LEVELS ? bounds.items : bounds.deepItems;
  const kept = array.slice(0, count).map((item) => shorten(item, bounds, level + 1));
  return array.length > count ? [...kept, `… (${array.length} in all)`] : kept;
}

function shortenObject(object: object, bounds: Bounds, level: number): object {
  const fields = Object.entries(object);
  const kept = fields.slice(0, bounds.fields).map(([name, value], index) => {
    const shown = shortenText(name, bounds.text);
    // Two long names may begin alike.
    return [
      shown === name ? name : `${shown} #${index}`,
      shorten(value, bounds, level + 1),
    ] as const;
  });
  if (fields.length > bounds.fields) kept.push(['…', `(${fields.length} fields in all)`]);
  return Object.fromEntries(kept);
}

function describe(value: object): string {
  return Array.isArray(value)
    ? `… (${value.length} in all)`
    : `… (${Object.keys(value).length} fields in all)`;
}
