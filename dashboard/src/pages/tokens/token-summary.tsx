import type { TokenBody } from '../../api/tokens.ts';
import { Callout } from '../../ui/badge.tsx';
import { formatTime } from '../../ui/time.tsx';
import { labels } from './labels.ts';
import { useTokenHome } from './token-home.tsx';
import {
  type Grant,
  type NamedPolicy,
  and,
  capitalize,
  describeGroups,
  describeResource,
  outcomeOf,
} from './token-words.ts';

type Limits = Pick<TokenBody, 'not_before' | 'expires_on' | 'condition'>;

/** What a token will be able to do, in words. */
export function TokenSummary({
  policies,
  limits,
}: {
  policies: readonly NamedPolicy[];
  limits: Limits;
}) {
  const { owner } = useTokenHome();
  const { allowed, exceptions, hasVain } = outcomeOf(policies);
  if (allowed.length === 0) {
    return (
      <Callout tone={hasVain ? 'warning' : 'neutral'} title={labels.thisTokenHasNoPermissions}>
        {hasVain ? labels.aDenyPolicyCancelsEverything : labels.noPolicyAllowsAnythingYet}
      </Callout>
    );
  }
  return (
    <div className="space-y-3 text-[0.9375rem]">
      <Grants grants={allowed} beginning={labels.allowed} />
      {exceptions.length > 0 && <Grants grants={exceptions} beginning={labels.denied} />}
      {hasVain && <p className="text-muted">{labels.permissionsThatAnotherPolicyDenies}</p>}
      {owner.kind === 'user' && <p>{labels.inEachAccountYourOwn}</p>}
      <p>{describeValidity(limits)}</p>
      <Addresses limits={limits} />
    </div>
  );
}

function Grants({ grants, beginning }: { grants: readonly Grant[]; beginning: string }) {
  const home = useTokenHome();
  // What is the same in several places is told once.
  const byGroups = Map.groupBy(grants, ({ groups }) => describeGroups(groups));
  return [...byGroups].map(([described, some]) => (
    <div key={described}>
      <p className="wrap-anywhere">
        {labels.in(
          beginning,
          and.format(some.map(({ resource }) => describeResource(resource, home))),
        )}
      </p>
      <ul className="mt-0.5 list-disc pl-5">
        {described.split('; ').map((part) => (
          <li key={part}>{capitalize(part)}</li>
        ))}
      </ul>
    </div>
  ));
}

function describeValidity({ not_before: notBefore, expires_on: expires }: Limits): string {
  const start = notBefore ? `from ${formatTime(notBefore)}` : 'immediately';
  return expires
    ? labels.theTokenWorksUntil(start, formatTime(expires))
    : labels.theTokenWorksAndNever(start);
}

function Addresses({ limits }: { limits: Limits }) {
  const { in: allowed, not_in: denied } = limits.condition?.request_ip ?? {};
  const from = allowed ?? [];
  const notFrom = denied ?? [];
  if (from.length === 0 && notFrom.length === 0) return <p>{labels.anyClientAddressIsAllowed}</p>;
  return (
    <p className="wrap-anywhere">
      The token works {from.length > 0 ? `only from ${from.join(', ')}` : 'from any address'}
      {notFrom.length > 0 && `, except from ${notFrom.join(', ')}`}.
    </p>
  );
}
