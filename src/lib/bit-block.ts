/** Numbers are kept in sets of so many, one after the other: number n is place n % 4096 of block n / 4096. */
export const BLOCK_PLACES = 4_096;

const BITMAP_BYTES = BLOCK_PLACES / 8;
const BYTES_PER_LISTED = 2;
// From here on a list would be as long as the bitmap, from which its length must tell it apart.
const MAX_LISTED = BITMAP_BYTES / BYTES_PER_LISTED - 1;

/** The block that a number is in. */
export function blockOf(number: number): number {
  return Math.floor(number / BLOCK_PLACES);
}

/**
 * A set of the places of one block. In memory it has a bit a place; stored, it is a list of places (two
 * bytes each, little-endian, ascending) while that is shorter, else the 512 bytes of its bits, the
 * lowest bit of a byte first.
 */
export class BitBlock {
  readonly #bytes = new Uint8Array(BITMAP_BYTES);
  // The same memory. What is done to whole words does not depend on the order of their bytes.
  readonly #words = new Uint32Array(this.#bytes.buffer);

  /** @param stored undefined: the empty set */
  static from(stored: Uint8Array | undefined): BitBlock {
    const block = new BitBlock();
    if (stored !== undefined) block.addStored(stored);
    return block;
  }

  /** Becomes another set; undefined: the empty one. To make a block takes longer than to change one. */
  reset(stored: Uint8Array | undefined): void {
    this.#words.fill(0);
    if (stored !== undefined) this.addStored(stored);
  }

  has(place: number): boolean {
    return ((this.#bytes[place >> 3] as number) & (1 << (place & 7))) !== 0;
  }

  add(place: number): void {
    const index = place >> 3;
    this.#bytes[index] = (this.#bytes[index] as number) | (1 << (place & 7));
  }

  remove(place: number): void {
    const index = place >> 3;
    this.#bytes[index] = (this.#bytes[index] as number) & ~(1 << (place & 7));
  }

  /** Adds all places of a stored set. */
  addStored(stored: Uint8Array): void {
    if (stored.length !== BITMAP_BYTES) {
      for (let i = 0; i < stored.length; i += BYTES_PER_LISTED) {
        this.add((stored[i] as number) | ((stored[i + 1] as number) << 8));
      }
      return;
    }
    const words = wordsOf(stored);
    for (let i = 0; i < words.length; i++)
      this.#words[i] = (this.#words[i] as number) | (words[i] as number);
  }

  /** Keeps what is in the other set too. */
  intersect(other: BitBlock): void {
    const words = other.#words;
    for (let i = 0; i < words.length; i++)
      this.#words[i] = (this.#words[i] as number) & (words[i] as number);
  }

  /** Removes what is in the other set. */
  subtract(other: BitBlock): void {
    const words = other.#words;
    for (let i = 0; i < words.length; i++)
      this.#words[i] = (this.#words[i] as number) & ~(words[i] as number);
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  /** The places in ascending order. */
  places(): number[] {
    const places: number[] = [];
    for (let word = 0; word < this.#words.length; word++) {
      if (this.#words[word] !== 0) this.#addPlaces(places, word * Uint32Array.BYTES_PER_ELEMENT);
    }
    return places;
  }

  /** Those of the four bytes from an index on. */
  #addPlaces(places: number[], first: number): void {
    for (let index = first; index < first + Uint32Array.BYTES_PER_ELEMENT; index++) {
      for (let bits = this.#bytes[index] as number; bits !== 0; bits &= bits - 1) {
        places.push(index * 8 + 31 - Math.clz32(bits & -bits));
      }
    }
  }

  /** What {@link addStored} reads; undefined for the empty set. */
  toStored(): Uint8Array | undefined {
    // Counted first: to list the places of a full block takes longer than all else that is done with it.
    const count = this.#count();
    if (count === 0) return undefined;
    if (count > MAX_LISTED) return this.#bytes.slice();
    const places = this.places();
    const list = new Uint8Array(count * BYTES_PER_LISTED);
    for (let i = 0; i < count; i++) {
      const place = places[i] as number;
      list[i * BYTES_PER_LISTED] = place & 0xff;
      list[i * BYTES_PER_LISTED + 1] = place >> 8;
    }
    return list;
  }

  #count(): number {
    let count = 0;
    for (let i = 0; i < this.#words.length; i++) count += bitsOf(this.#words[i] as number);
    return count;
  }
}

/** How many bits of a word of 32 are set: counted in pairs, in fours, in bytes, and these added up. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Words need an address of their own size, which a driver's buffer may not have. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const isAligned = bytes.byteOffset % Uint32Array.BYTES_PER_ELEMENT === 0;
  // Not slice(): that of a Buffer copies nothing.
  const aligned = isAligned ? bytes : new Uint8Array(bytes);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, BITMAP_BYTES / 4);
}
