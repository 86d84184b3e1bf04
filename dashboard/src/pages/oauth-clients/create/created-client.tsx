import { useState } from 'react';
import type { CreatedClient } from '../../../api/oauth-client-changes.ts';
import { Badge, Callout } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { CodeBlock, SecretOnce } from '../../../ui/copy.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { OnceGuard } from '../../../ui/shown-once.tsx';
import { EndpointsCard } from '../detail/endpoints-card.tsx';
import { exampleOf } from './code-example.ts';
import { labels } from './labels.ts';

interface CreatedClientProps {
  accountId: string;
  created: CreatedClient;
}

const LEAVE_WITHOUT_SECRET = {
  title: labels.closeWithoutCopyingTheSecret,
  lead: labels.youHaveNotCopied,
};

/** The new client with its secret, and what to do with them. */
export function CreatedClientPage({ accountId, created }: CreatedClientProps) {
  const { client_id: clientId, client_name: name, client_secret: secret } = created;
  const [isKept, setIsKept] = useState(secret === undefined);
  const params = { accountId, clientId };
  return (
    <Page
      title={labels.created(name)}
      beside={<Badge>{labels.private}</Badge>}
      isNarrow
      actions={
        <>
          <LinkButton to="/accounts/$accountId/oauth-clients/$clientId/try" params={params}>
            {labels.tryIt}
          </LinkButton>
          <LinkButton
            look="primary"
            to="/accounts/$accountId/oauth-clients/$clientId"
            params={params}
          >
            {labels.viewClient}
          </LinkButton>
        </>
      }
    >
      <OnceGuard isKept={isKept} question={LEAVE_WITHOUT_SECRET} />
      {secret !== undefined && (
        <SecretOnce name={labels.clientSecret} value={secret} onCopied={() => setIsKept(true)}>
          {labels.copyTheSecretNow}
        </SecretOnce>
      )}
      <EndpointsCard client={created} />
      {secret === undefined && (
        <Callout title={labels.thisClientHasNoSecret}>{labels.theClientIdIsNot}</Callout>
      )}
      <Card title={labels.signAUserIn} lead={labels.usesOauth4webapiWhichRuns}>
        <CodeBlock label="example" text={exampleOf(created)} />
      </Card>
    </Page>
  );
}
