import type { ApiToken } from '../../api/tokens.ts';
import { labels } from './labels.ts';
import { EVERY_ACCOUNT, covers, parseResource } from './resources.ts';
import type { TokenHome } from './token-home.tsx';

/** A policy with the names of its permissions, for who tells what it means. */
export interface NamedPolicy {
  effect: string;
  /** Names of permission groups: `OAuth Clients Write`. */
  groups: readonly string[];
  /** Names of resources. */
  resources: readonly string[];
}

/** Permissions on one resource. */
export interface Grant {
  resource: string;
  groups: readonly string[];
}

/** What comes out of all policies of a token together. */
export interface Outcome {
  allowed: Grant[];
  /** What is denied within something that is allowed. */
  exceptions: Grant[];
  /** Whether something that one policy allows is denied altogether by another. */
  hasVain: boolean;
}

/** The policies of a token as {@link outcomeOf} reads them. */
export function namedPolicies(token: ApiToken): NamedPolicy[] {
  return token.policies.map(({ effect, permission_groups: groups, resources }) => ({
    effect,
    groups: groups.map(({ name }) => name),
    resources: Object.keys(resources),
  }));
}

/** An allowed Write brings Read with it. */
function withImplied(group: string): string[] {
  return group.endsWith(' Write') ? [group.replace(/Write$/, labels.read), group] : [group];
}

/** Weighs the policies as the server does: a denial wins, then an allowance, else nothing. */
export function outcomeOf(policies: readonly NamedPolicy[]): Outcome {
  const pairs = (effect: string): { resource: string; group: string }[] =>
    policies
      .filter((policy) => policy.effect === effect)
      .flatMap(({ groups, resources }) =>
        resources.flatMap((resource) =>
          (effect === 'allow' ? groups.flatMap(withImplied) : groups).map((group) => ({
            resource,
            group,
          })),
        ),
      );
  const allowed = pairs('allow');
  const denied = pairs('deny');
  const left = allowed.filter(
    ({ resource, group }) =>
      !denied.some((denial) => denial.group === group && covers(denial.resource, resource)) &&
      // What a wider policy allows already is not told twice.
      !allowed.some(
        (other) =>
          other.group === group &&
          other.resource !== resource &&
          covers(other.resource, resource) &&
          !denied.some(
            (denial) => denial.group === group && covers(denial.resource, other.resource),
          ),
      ),
  );
  const exceptions = denied.filter(({ resource, group }) =>
    left.some((other) => other.group === group && covers(other.resource, resource)),
  );
  const hasVain = allowed.some(({ resource, group }) =>
    denied.some((denial) => denial.group === group && covers(denial.resource, resource)),
  );
  return { allowed: byResource(left), exceptions: byResource(exceptions), hasVain };
}

function byResource(pairs: readonly { resource: string; group: string }[]): Grant[] {
  return [...Map.groupBy(pairs, ({ resource }) => resource)].map(([resource, some]) => ({
    resource,
    groups: [...new Set(some.map(({ group }) => group))],
  }));
}

const VERBS: Readonly<Record<string, string>> = { Read: 'read', Write: 'change', Run: 'run' };

/** Joins the words of a list. */
export const and = new Intl.ListFormat('en', { type: 'conjunction' });

/** The subject and the verb of a permission: `OAuth Clients` and `Write`. */
export function splitName(group: string): { subject: string; verb: string } {
  const end = group.lastIndexOf(' ');
  return { subject: group.slice(0, end), verb: group.slice(end + 1) };
}

/**
 * Permissions in words: `read and change OAuth Clients; run AI Gateway`.
 * @param most how many subjects are named for each verb; the others are counted
 */
export function describeGroups(groups: readonly string[], most = Infinity): string {
  const verbsOf = new Map<string, string[]>();
  for (const group of groups) {
    const { subject, verb } = splitName(group);
    verbsOf.set(subject, [...(verbsOf.get(subject) ?? []), VERBS[verb] ?? verb.toLowerCase()]);
  }
  const byVerbs = Map.groupBy(verbsOf, ([, verbs]) => and.format(verbs));
  return [...byVerbs]
    .map(([verbs, subjects]) => {
      const names = subjects.map(([subject]) => subject);
      const rest = names.length - most;
      return `${verbs} ${and.format(rest > 0 ? [...names.slice(0, most), labels.more(rest)] : names)}`;
    })
    .join('; ');
}

/** A resource in words: `gateway production`. */
export function describeResource(name: string, home: TokenHome): string {
  const resource = parseResource(name);
  if (resource === undefined) return name;
  if (resource.kind === 'user') return 'your own data';
  const isHere = home.owner.kind === 'account';
  const account = nameOfAccount(resource.accountId, home);
  if (resource.kind === 'account') return isHere ? 'the whole account' : account;
  const gateway = `the AI gateway ${resource.gatewayId}`;
  return isHere ? gateway : labels.of(gateway, account);
}

function nameOfAccount(accountId: string, home: TokenHome): string {
  if (accountId === EVERY_ACCOUNT) return 'all your accounts';
  return home.accounts.find(({ id }) => id === accountId)?.name ?? `the account ${accountId}`;
}

/** A text as the beginning of a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MOST_IN_LIST = 2;

/** What a token may do in short, for a list. */
export function describeShortly(token: ApiToken, home: TokenHome): string {
  const { allowed, exceptions } = outcomeOf(namedPolicies(token));
  const [first, ...others] = allowed;
  if (first === undefined) return labels.nothing;
  const groups = [...new Set(allowed.flatMap((grant) => grant.groups))];
  const where = others.length === 0 ? describeResource(first.resource, home) : whereOf(allowed);
  const isPlain = first.resource === home.whole && others.length === 0;
  return [
    capitalize(describeGroups(groups, MOST_IN_LIST)),
    isPlain && home.owner.kind === 'account' ? '' : ` in ${where}`,
    exceptions.length > 0 ? ', with exceptions' : '',
  ].join('');
}

function whereOf(grants: readonly Grant[]): string {
  const areGateways = grants.every(({ resource }) => parseResource(resource)?.kind === 'gateway');
  return `${grants.length} ${areGateways ? labels.aiGateways : 'places'}`;
}
