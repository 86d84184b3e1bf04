import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Access, useAccountOfPage } from '../../../api/accounts.ts';
import type { LogDetails } from '../../../api/gateway-log.ts';
import { membersQuery } from '../../../api/members.ts';
import { oauthClientQuery } from '../../../api/oauth-clients.ts';
import { userQuery } from '../../../api/people.ts';
import { tokenQuery } from '../../../api/tokens.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { labels } from '../labels.ts';

const LINK = 'underline wrap-anywhere';

/** Who called: a person, a token of the account or an OAuth client, with the way to its page. */
export function LogCaller({ log }: { log: LogDetails }) {
  const access = useAccountOfPage();
  const { user_id: userId, oauth_client_id: clientId, token_id: tokenId } = log;
  if (userId === null && clientId === null && tokenId === null) {
    return <span className="text-muted">{labels.unauthenticatedNoValidToken}</span>;
  }
  return (
    <div className="space-y-1">
      {userId !== null && <Person access={access} userId={userId} />}
      {clientId !== null && <Client access={access} clientId={clientId} />}
      {clientId === null && tokenId !== null && (
        <Token access={access} tokenId={tokenId} userId={userId} />
      )}
    </div>
  );
}

function Person({ access, userId }: { access: Access; userId: string }) {
  const { data: self } = useSuspenseQuery(userQuery);
  const { data: members } = useQuery({
    ...membersQuery(access.accountId),
    enabled: access.can('members.read') && self.id !== userId,
  });
  if (self.id === userId) return <p>{labels.you(self.email)}</p>;
  const member = members?.find(({ user }) => user.id === userId);
  return member === undefined ? (
    <div>
      User: <CopyText text={userId} label={labels.copyUserId} />
    </div>
  ) : (
    <p className="wrap-anywhere">{member.user.email}</p>
  );
}

function Client({ access, clientId }: { access: Access; clientId: string }) {
  const { accountId } = access;
  const { data: client } = useQuery({
    ...oauthClientQuery(accountId, clientId),
    // Of another account, or deleted: its id has to do.
    retry: false,
    enabled: access.can('oauth-clients.read'),
  });
  if (client === undefined) {
    return (
      <div>
        OAuth client: <CopyText text={clientId} label={labels.copyOauthClientId} />
      </div>
    );
  }
  return (
    <p>
      OAuth client{' '}
      <Link
        to="/accounts/$accountId/oauth-clients/$clientId"
        params={{ accountId, clientId }}
        className={LINK}
      >
        <bdi>{client.client_name}</bdi>
      </Link>
    </p>
  );
}

interface TokenProps {
  access: Access;
  tokenId: string;
  /** Whose it is; null: the account's. */
  userId: string | null;
}

function Token({ access, tokenId, userId }: TokenProps) {
  const { accountId } = access;
  const { data: self } = useSuspenseQuery(userQuery);
  const isOwn = userId === self.id;
  const ofAccount = tokenQuery({ kind: 'account', accountId }, tokenId);
  const ofSelf = tokenQuery({ kind: 'user', userId: self.id }, tokenId);
  const { data: token } = useQuery({
    ...(isOwn ? ofSelf : ofAccount),
    // Deleted, as a rule: its id has to do.
    retry: false,
    enabled: isOwn || (userId === null && access.can('api-tokens.read')),
  });
  if (token === undefined) {
    return (
      <div>
        API token: <CopyText text={tokenId} label={labels.copyTokenId} />
      </div>
    );
  }
  const name = <bdi>{token.name}</bdi>;
  return (
    <p>
      API token{' '}
      {isOwn ? (
        <Link to="/profile/tokens/$tokenId" params={{ tokenId }} className={LINK}>
          {name}
        </Link>
      ) : (
        <Link
          to="/accounts/$accountId/tokens/$tokenId"
          params={{ accountId, tokenId }}
          className={LINK}
        >
          {name}
        </Link>
      )}
    </p>
  );
}
