import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { issuer } from '../../../lib/site.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';

const ENDPOINTS = [
  ['Issuer', ''],
  ['Authorization URL', '/oauth2/auth'],
  ['Token URL', '/oauth2/token'],
  ['Metadata URL', '/.well-known/openid-configuration'],
] as const;

/** What goes into the application. */
export function EndpointsCard({ client }: { client: Pick<OAuthClient, 'client_id'> }) {
  return (
    <Card
      title="For your application"
      lead="Most OAuth libraries need the client ID and the issuer, and find the rest by themselves."
    >
      <Facts>
        <Fact name="Client ID">
          <CopyText text={client.client_id} label="Copy client ID" />
        </Fact>
        {ENDPOINTS.map(([name, path]) => (
          <Fact key={name} name={name}>
            <CopyText text={issuer + path} label={`Copy ${name}`} />
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
