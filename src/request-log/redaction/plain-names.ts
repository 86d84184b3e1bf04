const SLOTS = 512;

/**
 * Names of members that are known to say nothing of a credential, as bytes: nearly all names have been
 * seen before, and to make a text of each to look it up takes several times as long. It holds a bounded
 * number; a name may be forgotten for another one.
 */
export class PlainNames {
  readonly #slots: (Uint8Array | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

  /** Whether these bytes are such a name. */
  has(text: Uint8Array, start: number, end: number): boolean {
    const name = this.#slots[slotOf(text, start, end)];
    if (name?.length !== end - start) return false;
    for (let i = 0; i < name.length; i++) if (name[i] !== text[start + i]) return false;
    return true;
  }

  /** Remembers these bytes. */
  add(text: Uint8Array, start: number, end: number): void {
    this.#slots[slotOf(text, start, end)] = new Uint8Array(text.subarray(start, end));
  }
}

function slotOf(text: Uint8Array, start: number, end: number): number {
  const first = text[start] ?? 0;
  const middle = text[(start + end) >> 1] ?? 0;
  const last = text[end - 1] ?? 0;
  return (first * 31 + middle * 17 + last * 7 + (end - start)) % SLOTS;
}
