import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { personName } from '../lib/person-name.ts';
import type { Access } from './accounts.ts';
import { membersQuery } from './members.ts';
import { oauthClientsQuery } from './oauth-clients.ts';
import { tokenNamesQuery } from './tokens.ts';

/** What tokens, people and applications are called, as far as that is known here. */
export interface CallerNames {
  /** Of an id in a field of logs; undefined: not known. */
  nameOf: (field: string, id: string) => string | undefined;
}

/** Names of whoever may be in the logs of an account, where the person may see them. */
export function useCallerNames(
  { accountId, can }: Access,
  isNeeded: Readonly<Record<'tokens' | 'people' | 'applications', boolean>>,
): CallerNames {
  const { data: tokens } = useQuery({
    ...tokenNamesQuery(accountId),
    enabled: isNeeded.tokens && can('api-tokens.read'),
  });
  const { data: members } = useQuery({
    ...membersQuery(accountId),
    enabled: isNeeded.people && can('members.read'),
  });
  const { data: clients } = useQuery({
    ...oauthClientsQuery(accountId),
    enabled: isNeeded.applications && can('oauth-clients.read'),
  });
  return useMemo(() => {
    const people = new Map(
      members?.map(({ user }) => [user.id, personName(user) || user.email] as const),
    );
    const applications = new Map(
      clients?.map(({ client_id: id, client_name: name }) => [id, name] as const),
    );
    return {
      nameOf(field, id) {
        // A token may also be an application that acts for somebody.
        if (field === 'token_id') return tokens?.get(id) ?? applications.get(id);
        if (field === 'user_id') return people.get(id);
        return field === 'oauth_client_id' ? applications.get(id) : undefined;
      },
    };
  }, [tokens, members, clients]);
}
