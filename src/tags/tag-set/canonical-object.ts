import { inLargeChunks, isLarge, sortInTurns } from '../event-loop-turns.ts';

/**
 * A JSON object as RFC 8785 (JCS) writes it: for texts and nulls that is what JSON.stringify writes, with
 * the names in the order of UTF-16 code units. Made in parts, as there may be many members.
 */
export async function canonicalObject(
  members: ReadonlyMap<string, string | null>,
): Promise<string> {
  if (!isLarge(members.size)) return `{${written([...members.keys()].sort(), members)}}`;
  const parts: string[] = [];
  for await (const chunk of inLargeChunks(await sortInTurns([...members.keys()]))) {
    parts.push(written(chunk, members));
  }
  return `{${parts.join(',')}}`;
}

function written(names: readonly string[], members: ReadonlyMap<string, string | null>): string {
  let text = '';
  for (const name of names) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(members.get(name))}`;
  }
  return text;
}
