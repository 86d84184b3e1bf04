import { useSuspenseQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { holds, useAccountOfPage } from '../../api/accounts.ts';
import { membershipsQuery, userQuery } from '../../api/people.ts';
import type { TokenOwner } from '../../api/tokens.ts';
import { EVERY_ACCOUNT, accountResource, userResource } from './resources.ts';

/** An account that policies can name. */
export interface NameableAccount {
  id: string;
  name: string;
  /** Whether the person holds a permission in it. */
  holds: (slug: string) => boolean;
}

/** Whose tokens the page is about, and what the person can do with them. */
export interface TokenHome {
  owner: TokenOwner;
  accounts: readonly NameableAccount[];
  /** The resource that has everything in it that these tokens can reach. */
  whole: string;
  /** The resource of the person; accounts' tokens cannot name one. */
  self: string | undefined;
  mayRead: boolean;
  mayWrite: boolean;
  list: LinkProps;
  create: LinkProps;
  one: (tokenId: string) => LinkProps;
}

/** What everybody holds of what is their own. */
const OWN = ['user-details.read', 'memberships.read', 'api-tokens.read', 'api-tokens.write'];

/** Whether the person holds a permission of their own, without a role. */
export function isOwnPermission(slug: string): boolean {
  return OWN.includes(slug);
}

function useNameableAccounts(): NameableAccount[] {
  const { data } = useSuspenseQuery(membershipsQuery);
  return data
    .filter(({ status }) => status === 'accepted')
    .map(({ account, permissions }) => ({
      id: account.id,
      name: account.name,
      holds: (slug) => holds(permissions, slug),
    }));
}

/** The tokens of the account of the page. */
export function useAccountHome(): TokenHome {
  const access = useAccountOfPage();
  const { accountId } = access;
  const accounts = useNameableAccounts().filter(({ id }) => id === accountId);
  return {
    owner: { kind: 'account', accountId },
    accounts,
    whole: accountResource(accountId),
    self: undefined,
    mayRead: access.can('api-tokens.read'),
    mayWrite: access.can('api-tokens.write'),
    list: { to: '/accounts/$accountId/tokens', params: { accountId } },
    create: { to: '/accounts/$accountId/tokens/new', params: { accountId } },
    one: (tokenId) => ({
      to: '/accounts/$accountId/tokens/$tokenId',
      params: { accountId, tokenId },
    }),
  };
}

/** The person's own tokens. */
export function useOwnHome(): TokenHome {
  const { data: user } = useSuspenseQuery(userQuery);
  const accounts = useNameableAccounts();
  return {
    owner: { kind: 'user', userId: user.id },
    accounts,
    whole: accountResource(EVERY_ACCOUNT),
    self: userResource(user.id),
    mayRead: true,
    mayWrite: true,
    list: { to: '/profile/tokens' },
    create: { to: '/profile/tokens/new' },
    one: (tokenId) => ({ to: '/profile/tokens/$tokenId', params: { tokenId } }),
  };
}

/** Around the pages of one owner. */
export const TokenHomeContext = createContext<TokenHome | undefined>(undefined);

/** Whose tokens the page is about. */
export function useTokenHome(): TokenHome {
  const home = use(TokenHomeContext);
  if (home === undefined) throw new Error('a page of tokens without an owner');
  return home;
}
