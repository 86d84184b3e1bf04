import { isObject } from '../json-value.ts';

/** Something that grows with each piece of a stream. */
export type Growing = Record<string, unknown>;

// Told once, or the same again and again: nothing that would be written on.
const NAMES: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name', 'object', 'model']);

/**
 * Adds a piece of a stream to what there is: texts and lists grow, items of a list that have an `index`
 * are found again by it, and null takes nothing away.
 */
export function mergeDelta(whole: Growing, delta: Readonly<Record<string, unknown>>): void {
  for (const [name, piece] of Object.entries(delta)) {
    const former = Object.hasOwn(whole, name) ? whole[name] : undefined;
    whole[name] = merged(name, former, piece);
  }
}

function merged(name: string, former: unknown, piece: unknown): unknown {
  if (piece === null || piece === undefined) return former ?? piece;
  if (typeof piece === 'string' && typeof former === 'string') {
    if (NAMES.has(name)) return former === '' ? piece : former;
    return former + piece;
  }
  if (Array.isArray(piece)) {
    return mergedList(Array.isArray(former) ? (former as unknown[]) : [], piece as unknown[]);
  }
  if (!isObject(piece)) return piece;
  const whole: Growing = isObject(former) ? { ...former } : {};
  mergeDelta(whole, piece);
  return whole;
}

function mergedList(former: readonly unknown[], pieces: readonly unknown[]): unknown[] {
  const list = [...former];
  for (const piece of pieces) {
    const index = isObject(piece) ? piece['index'] : undefined;
    const place =
      index === undefined
        ? -1
        : list.findIndex((item) => isObject(item) && item['index'] === index);
    if (place === -1) list.push(merged('', undefined, piece));
    else list[place] = merged('', list[place], piece);
  }
  return list;
}
