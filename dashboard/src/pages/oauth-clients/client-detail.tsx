import { queryOptions, usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useAccountOfPage } from '../../api/accounts.ts';
import { describeFailure, isGone } from '../../api/failure.ts';
import { type OAuthClient, oauthClientQuery } from '../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../api/oauth-scopes.ts';
import { Badge, Callout } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { ClientLogo } from './client-logo.tsx';
import { ClientActions } from './detail/client-actions.tsx';
import { ClientGone } from './detail/client-gone.tsx';
import { ConfigurationCard } from './detail/configuration-card.tsx';
import { EndpointsCard } from './detail/endpoints-card.tsx';
import { SecretsCard } from './detail/secrets-card.tsx';
import { UsersCard } from './detail/users-card.tsx';
import { VerificationCard } from './detail/verification-card.tsx';
import { VisibilityCard } from './detail/visibility-card.tsx';
import { ReadOnly } from '../role-needed.tsx';
import { TagsCard } from '../tags/tags-card.tsx';
import { labels } from './labels.ts';

const WHILE_PENDING_MS = 2_000;
const WHILE_IN_PROGRESS_MS = 3_000;
const WHILE_ROTATING_MS = 30_000;

/** How soon something may change by itself that somebody waits for. */
function refreshAfterMs(client: OAuthClient | undefined): number | false {
  const status = client?.client_uri_verification?.status;
  if (status === 'pending') return WHILE_PENDING_MS;
  if (status === 'in_progress') return WHILE_IN_PROGRESS_MS;
  return client?.has_rotated_secret === true ? WHILE_ROTATING_MS : false;
}

const liveClientQuery = (accountId: string, clientId: string) =>
  queryOptions({
    ...oauthClientQuery(accountId, clientId),
    // Another tab may have changed it, or deleted it.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => !isGone(state.error) && refreshAfterMs(state.data),
  });

/** Everything about one OAuth client. */
export function ClientDetail() {
  const place = useParams({ from: '/accounts/$accountId/oauth-clients/$clientId' });
  usePrefetchQuery(oauthScopesQuery);
  const { data: client, error } = useSuspenseQuery(
    liveClientQuery(place.accountId, place.clientId),
  );
  const access = useAccountOfPage();
  if (isGone(error)) return <ClientGone accountId={place.accountId} name={client.client_name} />;
  const mayChange = access.can('oauth-clients.write');
  const shared = { client, place, mayChange };
  return (
    <Page
      title={client.client_name}
      mark={<ClientLogo client={client} />}
      beside={<Badges client={client} />}
      back={{
        to: '/accounts/$accountId/oauth-clients',
        params: { accountId: place.accountId },
        label: labels.oauthClients,
      }}
      actions={<ClientActions {...shared} />}
    >
      {error !== null && (
        <Callout tone="warning" title={labels.thisPageCouldNot}>
          {labels.thePageShowsEarlierData(describeFailure(error))}
        </Callout>
      )}
      <ReadOnly access={access} permission="oauth-clients.write" deed={labels.readOnlyAction} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="min-w-0 space-y-6">
          <EndpointsCard client={client} />
          <SecretsCard {...shared} />
          <VerificationCard {...shared} />
        </div>
        <div className="min-w-0 space-y-6">
          <VisibilityCard {...shared} />
          <UsersCard place={place} />
          <TagsCard
            accountId={place.accountId}
            resourceType="oauth_client"
            resourceId={place.clientId}
          />
        </div>
      </div>
      <ConfigurationCard client={client} />
    </Page>
  );
}

function Badges({ client }: { client: OAuthClient }) {
  const { visibility, client_uri_verification: verification } = client;
  return (
    <>
      <Badge tone={visibility === 'public' ? 'info' : 'neutral'}>
        {visibility === 'public' ? labels.public : labels.private}
      </Badge>
      {verification?.status === 'verified' && <Badge tone="good">{labels.verifiedHost}</Badge>}
    </>
  );
}
