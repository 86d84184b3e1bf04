import { useState } from 'react';
import type { CreatedClient } from '../../../api/oauth-client-changes.ts';
import { Badge, Callout } from '../../../ui/badge.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { CodeBlock, SecretOnce } from '../../../ui/copy.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { OnceGuard } from '../../../ui/shown-once.tsx';
import { EndpointsCard } from '../detail/endpoints-card.tsx';
import { exampleOf } from './code-example.ts';

interface CreatedClientProps {
  accountId: string;
  created: CreatedClient;
}

const LEAVE_WITHOUT_SECRET = {
  title: 'Leave without the secret?',
  lead: 'You have not copied the client secret. It is not shown again: the client would need another one before it can be used.',
};

/** The new client with its secret, and what to do with them. */
export function CreatedClientPage({ accountId, created }: CreatedClientProps) {
  const { client_id: clientId, client_name: name, client_secret: secret } = created;
  const [isKept, setIsKept] = useState(secret === undefined);
  const params = { accountId, clientId };
  return (
    <Page
      title={`${name} is ready`}
      beside={<Badge>Private</Badge>}
      isNarrow
      actions={
        <>
          <LinkButton to="/accounts/$accountId/oauth-clients/$clientId/try" params={params}>
            Try it
          </LinkButton>
          <LinkButton
            look="primary"
            to="/accounts/$accountId/oauth-clients/$clientId"
            params={params}
          >
            Go to the client
          </LinkButton>
        </>
      }
    >
      <OnceGuard isKept={isKept} question={LEAVE_WITHOUT_SECRET} />
      {secret !== undefined && (
        <SecretOnce name="Client secret" value={secret} onCopied={() => setIsKept(true)}>
          Copy it now to the settings of your server, where nobody else sees it. It cannot be read
          again. If it gets lost, the client can be given another one.
        </SecretOnce>
      )}
      <EndpointsCard client={created} />
      {secret === undefined && (
        <Callout title="There is no secret">
          The client ID is no secret and may stand in the application. PKCE protects the sign-in.
        </Callout>
      )}
      <Card
        title="Sign somebody in"
        lead="With oauth4webapi, which runs on servers, in browsers and everywhere else."
      >
        <CodeBlock label="example" text={exampleOf(created)} />
      </Card>
    </Page>
  );
}
