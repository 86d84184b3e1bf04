import { createHash } from 'node:crypto';
import { objectsIn, textIn } from '../json/json-fields.ts';

/** The longest name of a tool in a chat completion; the Messages API allows 128 characters. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 10;

/**
 * Returns the name of a tool for a chat completion. A long one is truncated and gets a hash, so that two tools stay
 * different.
 * @param name of the Messages API
 */
export function shortToolName(name: unknown): unknown {
  if (typeof name !== 'string' || name.length <= MAX_NAME_CHARACTERS) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARACTERS);
  return `${name.slice(0, MAX_NAME_CHARACTERS - HASH_CHARACTERS - 1)}_${hash}`;
}

/** Returns the name of a tool at the client. */
export type RestoreName = (name: string) => string;

/**
 * Restores the names that {@link shortToolName} has truncated.
 * @param tools of the request in the Messages API
 */
export function restoreToolNames(tools: unknown): RestoreName {
  const names = new Map<string, string>();
  for (const tool of objectsIn(tools)) {
    const name = textIn(tool.name);
    const short = shortToolName(name);
    if (name !== undefined && typeof short === 'string' && short !== name) names.set(short, name);
  }
  return (name) => names.get(name) ?? name;
}
