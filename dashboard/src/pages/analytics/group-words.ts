import { labels } from './labels.ts';

/** What a group of figures is about, in the words of the page. */
export interface GroupWords {
  /** As a choice: "Application". */
  label: string;
  /** In a sentence: "application". */
  one: string;
  /** One of those that there are: "value of metadata “team”". */
  each: string;
  /** Of requests that have none: "No application". */
  none: string;
}

const WORDS: Readonly<Record<string, GroupWords>> = {
  model: { label: labels.model, one: 'model', each: 'model', none: labels.noModel },
  provider: { label: labels.provider, one: 'provider', each: 'provider', none: labels.noProvider },
  token: { label: labels.token, one: 'token', each: 'token', none: labels.noToken },
  user: { label: labels.user, one: 'user', each: 'user', none: labels.noUser },
  oauth_client: {
    label: labels.application,
    one: 'application',
    each: 'application',
    none: labels.noApplication,
  },
  status: { label: labels.status, one: 'status', each: 'status', none: labels.noStatus },
  gateway: { label: labels.gateway, one: 'gateway', each: 'gateway', none: labels.noGateway },
};

/** The groups that have no key, in the order in which they are offered. */
export const PLAIN_GROUPS = [
  'model',
  'provider',
  'token',
  'user',
  'oauth_client',
  'status',
] as const;

/** Kinds of groups of which there is one for each key. */
export const KEYED_GROUPS = ['metadata', 'tag'] as const;

/** A kind of group of which there is one for each key. */
export type KeyedGroup = (typeof KEYED_GROUPS)[number];

/** What they are called as a choice. */
export const KEYED_LABELS: Readonly<Record<KeyedGroup, string>> = {
  metadata: labels.metadata,
  tag: labels.tagOfTheGateway,
};

/** The kind and the key of a group such as `metadata.team`; undefined: it has none. */
export function keyedGroup(by: string): { kind: KeyedGroup; key: string } | undefined {
  const kind = KEYED_GROUPS.find((name) => by.startsWith(`${name}.`));
  return kind === undefined ? undefined : { kind, key: by.slice(kind.length + 1) };
}

/** What the API calls `model`, `metadata.team` and the like, in words. */
export function wordsOf(by: string): GroupWords {
  const keyed = keyedGroup(by);
  if (keyed === undefined)
    return WORDS[by] ?? { label: by, one: by, each: by, none: labels.no(by) };
  const { kind, key } = keyed;
  const name = `${kind} “${key}”`;
  const label = `${kind === 'metadata' ? labels.metadataGroup : labels.tag} “${key}”`;
  return { label, one: name, each: `value of ${name}`, none: labels.noValueOf(name) };
}
