import { useSuspenseQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import {
  type CheckedClient,
  type Verdict,
  checkAuthorizationUrl,
} from '../../../lib/authorization-url.ts';
import { baseUrl, gatewayUrl, issuer } from '../../../lib/site.ts';
import { Callout, type Tone } from '../../../ui/badge.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { FindingItem } from './finding-item.tsx';

/** Says what is wrong with an authorization URL of the application, without sending it. */
export function CheckCard({ client }: { client: OAuthClient }) {
  const { data: scopes } = useSuspenseQuery(oauthScopesQuery);
  const [text, setText] = useState('');
  const written = useDeferredValue(text);
  const verdict =
    written.trim() === ''
      ? undefined
      : checkAuthorizationUrl(written, checkedClient(client), {
          issuer,
          resourceServers: [baseUrl, gatewayUrl],
          knownScopes: scopes.map(({ id }) => id),
        });
  return (
    <Card
      title="Check an authorization URL"
      lead="Paste the address that your application sends people to. It is read here, and sent nowhere."
    >
      <div className="space-y-4">
        <Field label="Authorization URL to check">
          <Textarea
            rows={5}
            spellCheck={false}
            placeholder={`${issuer}/oauth2/auth?client_id=…`}
            className="font-mono text-sm break-all"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div role="status">{verdict !== undefined && <Summary verdict={verdict} />}</div>
        {verdict !== undefined && verdict.findings.length > 0 && (
          <ul aria-label="Findings" className="divide-y divide-line rounded-lg border border-line">
            {verdict.findings.map((finding) => (
              <FindingItem key={finding.problem} finding={finding} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}

function checkedClient(client: OAuthClient): CheckedClient {
  return {
    id: client.client_id,
    authMethod: client.token_endpoint_auth_method,
    redirectUris: client.redirect_uris,
    scopes: client.scopes,
    hasRefreshTokens: client.grant_types.includes('refresh_token'),
  };
}

function Summary({ verdict }: { verdict: Verdict }) {
  const [tone, title, text] = summarize(verdict);
  return (
    <Callout tone={tone} title={title}>
      {text}
    </Callout>
  );
}

const PLACES: Readonly<Partial<Record<Verdict['answer'], string>>> = {
  elsewhere: 'The request does not come to the authorization endpoint.',
  page: 'The server shows the person a page that says so, and does not redirect: it cannot trust the address to send anybody back to.',
};

function summarize({ answer, findings }: Verdict): [tone: Tone, title: string, text: string] {
  if (answer === 'goes on') {
    const advice = findings.length === 0 ? '' : ' Some advice all the same:';
    const text = `The server goes on to the sign-in and the consent page.${advice}`;
    return ['good', 'This address works', text];
  }
  if (answer === 'pushed') {
    const text =
      'What was pushed counts, and nothing else in the address: the server checked it then. It works once, and soon expires.';
    return ['info', 'This names a request that was pushed', text];
  }
  const faults = findings.filter((finding) => finding.answer !== undefined).length;
  const back = `The server sends the person back to the redirect URI with error=${answer}.`;
  return ['danger', faults === 1 ? 'One fault' : `${faults} faults`, PLACES[answer] ?? back];
}
