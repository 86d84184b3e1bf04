import { Link } from '@tanstack/react-router';
import { KeyRound, LayoutGrid, type Icon, Users, Waypoints } from '../../ui/icons.tsx';
import type { AccountPath } from '../../shell/navigation.ts';
import type { Glance } from './glance.ts';
import { labels } from './labels.ts';

/** How many of something there are, and where they are. */
interface Count {
  label: string;
  to: AccountPath;
  icon: Icon;
  /** Undefined for what the person may not read. */
  of: (glance: Glance) => number | undefined;
}

/** What is counted. A new page of an account with a list adds its own. */
const counts: readonly Count[] = [
  {
    label: labels.oauthClients,
    to: '/accounts/$accountId/oauth-clients',
    icon: LayoutGrid,
    of: ({ clients }) => clients?.length,
  },
  {
    label: labels.apiTokens,
    to: '/accounts/$accountId/tokens',
    icon: KeyRound,
    of: ({ tokens }) => tokens?.length,
  },
  {
    label: labels.aiGateways,
    to: '/accounts/$accountId/ai-gateway/gateways',
    icon: Waypoints,
    of: ({ gateways }) => gateways?.length,
  },
  {
    label: labels.members,
    to: '/accounts/$accountId/members',
    icon: Users,
    of: ({ memberCount }) => memberCount,
  },
];

/** How much there is of each thing that the person may see. */
export function Counts({ glance }: { glance: Glance }) {
  const shown = counts.flatMap((count) => {
    const number = count.of(glance);
    return number === undefined ? [] : [{ ...count, number }];
  });
  if (shown.length === 0) return null;
  const { accountId } = glance.access;
  return (
    <ul className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] sm:gap-4">
      {shown.map(({ label, to, icon: Icon, number }) => (
        <li key={to}>
          <Link
            to={to}
            params={{ accountId }}
            className="flex h-full items-center justify-between gap-1 rounded-xl border border-line bg-surface px-5 py-2.5 shadow-card hover:bg-hover sm:flex-col sm:items-start sm:py-4"
          >
            <span className="flex items-center gap-2 text-sm text-muted">
              <Icon aria-hidden className="size-4 shrink-0" />
              {label}
            </span>
            <span className="text-lg font-semibold tabular-nums sm:text-2xl">{number}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
