import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isGone } from '../../../api/failure.ts';
import { type OAuthClient, oauthClientQuery } from '../../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { canMakeChallenges } from '../../../lib/pkce.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientGone } from '../detail/client-gone.tsx';
import { AnswerCard } from './answer-card.tsx';
import { useAttempt } from './attempt.ts';
import { CheckCard } from './check-card.tsx';
import { labels } from './labels.ts';
import { RequestCard } from './request-card.tsx';

/** Tries a client as its application would, and finds what is wrong with an address. */
export function TryIt() {
  const { accountId, clientId } = useParams({
    from: '/accounts/$accountId/oauth-clients/$clientId/try',
  });
  usePrefetchQuery(oauthScopesQuery);
  const { data: client, error } = useSuspenseQuery({
    ...oauthClientQuery(accountId, clientId),
    refetchOnWindowFocus: 'always',
  });
  if (isGone(error)) return <ClientGone accountId={accountId} name={client.client_name} />;
  return (
    <Page
      title={labels.try(client.client_name)}
      lead={labels.actAsTheApplicationOpen}
      back={{
        to: '/accounts/$accountId/oauth-clients/$clientId',
        params: { accountId, clientId },
        label: client.client_name,
      }}
    >
      {canMakeChallenges() ? (
        <Flow key={clientId} client={client} />
      ) : (
        <Callout tone="warning" title={labels.httpsRequired}>
          {labels.browsersCantComputePkceChallenges}
        </Callout>
      )}
      <CheckCard client={client} />
    </Page>
  );
}

function Flow({ client }: { client: OAuthClient }) {
  const [attempt, change] = useAttempt(client);
  return (
    <>
      <RequestCard client={client} attempt={attempt} change={change} />
      <AnswerCard client={client} attempt={attempt} />
    </>
  );
}
