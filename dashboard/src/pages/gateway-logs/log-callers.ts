import type { CallerNames } from '../../api/caller-names.ts';
import type { Log } from '../../api/gateway-logs.ts';
import { labels } from './labels.ts';

/** Whose names some logs need. */
export function neededNames(logs: readonly Log[]) {
  return {
    tokens: logs.some(({ token_id: id }) => id !== null),
    people: logs.some(({ user_id: id }) => id !== null),
    applications: logs.some(({ oauth_client_id: id }) => id !== null),
  };
}

/** Who sent a request, in a word or two; undefined: nobody who is known. */
export function callerOf(
  { token_id: token, user_id: user, oauth_client_id: application }: Log,
  { nameOf }: CallerNames,
): { name: string; detail: string } | undefined {
  const parts = [
    {
      kind: labels.application,
      id: application,
      name: nameOf('oauth_client_id', application ?? ''),
    },
    { kind: labels.user, id: user, name: nameOf('user_id', user ?? '') },
    // It is the application once more.
    {
      kind: labels.token,
      id: token === application ? null : token,
      name: nameOf('token_id', token ?? ''),
    },
  ].filter((part): part is typeof part & { id: string } => part.id !== null);
  const best = parts.find(({ name }) => name !== undefined) ?? parts[0];
  if (best === undefined) return undefined;
  return {
    name: best.name ?? `${best.kind} ${shortId(best.id)}`,
    detail: parts.map(({ kind, id, name }) => `${kind} ${name ?? id}`).join(' · '),
  };
}

const ID_END = 6;

/** The end of an id, which tells it from others that were made about the same time. */
function shortId(id: string): string {
  return id.length <= 2 * ID_END ? id : `…${id.slice(-ID_END)}`;
}
