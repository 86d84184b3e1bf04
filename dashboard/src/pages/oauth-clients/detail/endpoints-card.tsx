import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { issuer } from '../../../lib/site.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { labels } from './labels.ts';

const ENDPOINTS = [
  [labels.issuer, ''],
  [labels.authorizationUrl, '/oauth2/auth'],
  [labels.tokenUrl, '/oauth2/token'],
  [labels.metadataUrl, '/.well-known/openid-configuration'],
] as const;

/** What goes into the application. */
export function EndpointsCard({ client }: { client: Pick<OAuthClient, 'client_id'> }) {
  return (
    <Card title={labels.forYourApplication} lead={labels.mostOauthLibrariesNeed}>
      <Facts>
        <Fact name={labels.clientId}>
          <CopyText text={client.client_id} label={labels.copyClientId} />
        </Fact>
        {ENDPOINTS.map(([name, path]) => (
          <Fact key={name} name={name}>
            <CopyText text={issuer + path} label={labels.copy(name)} />
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
