import { inLargeChunks, sortInTurns } from '../event-loop-turns.ts';

/**
 * A JSON object as RFC 8785 (JCS) writes it: for texts and nulls that is what JSON.stringify writes, with
 * the names in the order of UTF-16 code units. Made in parts, as there may be many members.
 */
export async function canonicalObject(
  members: ReadonlyMap<string, string | null>,
): Promise<string> {
  let text = '';
  for await (const chunk of inLargeChunks(await sortInTurns([...members.keys()]))) {
    for (const name of chunk) {
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(members.get(name))}`;
    }
  }
  return `{${text}}`;
}
