import {
  ChartColumn,
  House,
  KeyRound,
  LayoutGrid,
  type Icon,
  ScrollText,
  Settings,
  Tags,
  Unplug,
  Users,
  Wallet,
  Waypoints,
} from '../ui/icons.tsx';
import type { LinkProps } from '@tanstack/react-router';
import type { Access, Permission } from '../api/accounts.ts';

type Path = NonNullable<LinkProps['to']>;

/** The address of a page of an account that needs no other id. */
export type AccountPath = Exclude<
  Extract<Path, `/accounts/$accountId${string}`>,
  | `${string}/$clientId${string}`
  | `${string}/$tokenId${string}`
  | `${string}/$gatewayId${string}`
  | `${string}/$resourceId${string}`
>;

/** The address of a page about the person. */
export type ProfilePath = Exclude<Extract<Path, `/profile${string}`>, `${string}/$tokenId`>;

/** A place to go to in an account. */
export interface Place {
  label: string;
  to: AccountPath;
  icon: Icon;
  /** What is needed to see anything there; nothing: every member does. */
  needs?: Permission;
  /** Other words that people look for it by. */
  words?: string;
}

interface PlaceGroup {
  label?: string;
  places: readonly Place[];
}

/** What the sidebar and the command palette offer, in this order. */
export const placeGroups: readonly PlaceGroup[] = [
  { places: [{ label: 'Overview', to: '/accounts/$accountId', icon: House, words: 'start home' }] },
  {
    label: 'Developers',
    places: [
      {
        label: 'OAuth clients',
        to: '/accounts/$accountId/oauth-clients',
        icon: LayoutGrid,
        needs: 'oauth-clients.read',
        words: 'applications apps login',
      },
      {
        label: 'API tokens',
        to: '/accounts/$accountId/tokens',
        icon: KeyRound,
        needs: 'api-tokens.read',
        words: 'keys credentials',
      },
    ],
  },
  {
    label: 'AI gateway',
    places: [
      {
        label: 'Gateways',
        to: '/accounts/$accountId/ai-gateway/gateways',
        icon: Waypoints,
        needs: 'ai-gateway.read',
        words: 'models llm proxy logs playground',
      },
      {
        label: 'Analytics',
        to: '/accounts/$accountId/ai-gateway/analytics',
        icon: ChartColumn,
        needs: 'ai-gateway.read',
        words: 'cost spend tokens latency usage charts',
      },
      {
        label: 'Spend limits',
        to: '/accounts/$accountId/ai-gateway/spend-limits',
        icon: Wallet,
        needs: 'ai-gateway.read',
        words: 'budget cost cap money',
      },
      {
        label: 'Custom providers',
        to: '/accounts/$accountId/ai-gateway/custom-providers',
        icon: Unplug,
        needs: 'ai-gateway.read',
        words: 'models upstream own',
      },
    ],
  },
  {
    label: 'Resources',
    places: [
      {
        label: 'Tags',
        to: '/accounts/$accountId/tags',
        icon: Tags,
        needs: 'tags.read',
        words: 'labels search inventory',
      },
    ],
  },
  {
    label: 'Account',
    places: [
      {
        label: 'Members',
        to: '/accounts/$accountId/members',
        icon: Users,
        needs: 'members.read',
        words: 'people roles invitations users',
      },
      {
        label: 'Audit log',
        to: '/accounts/$accountId/audit-log',
        icon: ScrollText,
        needs: 'audit-logs.read',
        words: 'history changes events',
      },
      {
        label: 'Settings',
        to: '/accounts/$accountId/settings',
        icon: Settings,
        needs: 'account-settings.read',
        words: 'name two-factor delete',
      },
    ],
  },
];

/** The groups with what the person can see of them. */
export function visibleGroups(access: Access): PlaceGroup[] {
  return placeGroups
    .map((group) => ({
      ...group,
      places: group.places.filter(({ needs }) => needs === undefined || access.can(needs)),
    }))
    .filter(({ places }) => places.length > 0);
}
