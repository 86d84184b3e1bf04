/**
 * Returns a JSON object in the canonical form of RFC 8785 (JCS). For strings and null, that is the output of
 * JSON.stringify with the names sorted by UTF-16 code units.
 */
export function canonicalObject(members: ReadonlyMap<string, string | null>): string {
  let text = '';
  for (const name of [...members.keys()].sort()) {
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(members.get(name))}`;
  }
  return `{${text}}`;
}
