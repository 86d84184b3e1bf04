const PLACES_PER_WORD = 4;

/**
 * A vector of length 1 made of the words of a text, whatever their case: each adds to a few places,
 * which follow from a hash of it.
 * @param text not empty
 */
export function embed(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const sums = new Float32Array(dimensions);
  const words = text.toLowerCase().match(/\S+/g) ?? [text];
  for (const word of words) {
    let hash = hashOf(word);
    for (let place = 0; place < PLACES_PER_WORD; place++) {
      hash = mix(hash + place);
      const index = hash % dimensions;
      sums[index] = (sums[index] ?? 0) + (hash & 0x8000_0000 ? -1 : 1);
    }
  }
  const length = Math.sqrt(sums.reduce((total, sum) => total + sum * sum, 0));
  // Words can cancel each other out.
  if (length === 0) {
    sums[0] = 1;
    return sums;
  }
  return sums.map((sum) => sum / length);
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x0100_0193);
  }
  return hash >>> 0;
}

/** Spreads a number over all 32 bits (the last steps of MurmurHash3). */
function mix(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
