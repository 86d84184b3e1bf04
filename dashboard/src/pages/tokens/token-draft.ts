import type { ApiToken, TokenBody } from '../../api/tokens.ts';
import { fromLocalField, toLocalField } from '../../lib/local-time.ts';
import type { TokenHome } from './token-home.tsx';

/** How far a policy reaches: everything that the token can, the person alone, or some resources. */
export type Reach = 'whole' | 'self' | 'chosen';

/** A policy while somebody works on it. */
export interface PolicyDraft {
  effect: 'allow' | 'deny';
  /** Ids of permission groups. */
  groups: string[];
  reach: Reach;
  /** Names of resources; they count for `chosen` alone, and stay when something else is looked at. */
  names: string[];
}

/** A token while somebody works on it: what the fields of the form hold. */
export interface TokenDraft {
  name: string;
  policies: PolicyDraft[];
  /** In the person's own time zone, as `datetime-local` fields have it; empty: none. */
  not_before: string;
  expires_on: string;
  /** Ranges of addresses, one per line. */
  from: string;
  not_from: string;
}

/** A policy that says nothing yet. */
export function emptyPolicy(effect: PolicyDraft['effect'] = 'allow'): PolicyDraft {
  return { effect, groups: [], reach: 'whole', names: [] };
}

/** What a form for a new token begins with. */
export function emptyDraft(expiresOn: string): TokenDraft {
  return {
    name: '',
    policies: [emptyPolicy()],
    not_before: '',
    expires_on: expiresOn,
    from: '',
    not_from: '',
  };
}

/** What a form for a token that exists begins with. */
export function draftOf(token: ApiToken, home: TokenHome): TokenDraft {
  const { in: from = [], not_in: notFrom = [] } = token.condition?.request_ip ?? {};
  return {
    name: token.name,
    policies: token.policies.map((policy) => policyDraft(policy, home)),
    not_before: localTime(token.not_before),
    expires_on: localTime(token.expires_on),
    from: from.join('\n'),
    not_from: notFrom.join('\n'),
  };
}

function policyDraft(policy: ApiToken['policies'][number], home: TokenHome): PolicyDraft {
  const names = Object.keys(policy.resources);
  const reach = reachOf(names, home);
  return {
    effect: policy.effect === 'deny' ? 'deny' : 'allow',
    groups: policy.permission_groups.map(({ id }) => id),
    reach,
    names: reach === 'chosen' ? names : [],
  };
}

function reachOf(names: readonly string[], { whole, self }: TokenHome): Reach {
  const [first, ...others] = names;
  if (first === undefined || others.length > 0) return 'chosen';
  if (first === whole) return 'whole';
  return first === self ? 'self' : 'chosen';
}

/** The names of the resources that a policy is about. */
export function resourcesOf({ reach, names }: PolicyDraft, home: TokenHome): string[] {
  if (reach === 'whole') return [home.whole];
  return reach === 'self' && home.self !== undefined ? [home.self] : names;
}

/**
 * What the API is sent for a draft.
 * @param stored the token that is edited: what is as it was goes back to the letter
 */
export function bodyOfDraft(draft: TokenDraft, home: TokenHome, stored?: ApiToken): TokenBody {
  const notBefore = timeOf(draft.not_before, stored?.not_before);
  const expiresOn = timeOf(draft.expires_on, stored?.expires_on);
  const condition = conditionOf(draft, home, stored);
  return {
    name: draft.name,
    policies: draft.policies.map((policy) => ({
      effect: policy.effect,
      permission_groups: policy.groups.map((id) => ({ id })),
      resources: Object.fromEntries(resourcesOf(policy, home).map((name) => [name, '*' as const])),
    })),
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(expiresOn !== undefined && { expires_on: expiresOn }),
    ...(condition !== undefined && { condition }),
  };
}

function conditionOf(
  draft: TokenDraft,
  home: TokenHome,
  stored: ApiToken | undefined,
): TokenBody['condition'] {
  if (stored !== undefined) {
    const before = draftOf(stored, home);
    if (before.from === draft.from && before.not_from === draft.not_from) return stored.condition;
  }
  const from = rangesOf(draft.from);
  const notFrom = rangesOf(draft.not_from);
  if (from.length === 0 && notFrom.length === 0) return undefined;
  return {
    request_ip: {
      ...(from.length > 0 && { in: from }),
      ...(notFrom.length > 0 && { not_in: notFrom }),
    },
  };
}

/** The ranges in a text with one in a line. */
export function rangesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((range) => range !== '');
}

/** The moment that a field of the form holds, in UTC; undefined for an empty one. */
export function timeOf(local: string, stored?: string): string | undefined {
  // The field has no seconds, but what is stored may.
  if (stored !== undefined && toLocalField(stored) === local) return stored;
  return fromLocalField(local)?.replace('.000Z', 'Z');
}

function localTime(time: string | undefined): string {
  return time === undefined ? '' : toLocalField(time);
}

/** The field of the form in which a member of the body is filled in. */
export function fieldOfToken(path: string): string {
  const [first = '', index = '', member] = path.split('.');
  if (first === 'condition') return path.includes('not_in') ? 'not_from' : 'from';
  if (first !== 'policies' || index === '') return first;
  if (member === 'permission_groups') return `policies.${index}.groups`;
  return member === 'resources' ? `policies.${index}.names` : `policies.${index}.effect`;
}
