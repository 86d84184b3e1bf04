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
import { labels } from './labels.ts';

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
    <Card title={labels.checkAnAuthorizationUrl} lead={labels.pasteTheUrl}>
      <div className="space-y-4">
        <Field label={labels.authorizationUrlToCheck}>
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
          <ul
            aria-label={labels.findings}
            className="divide-y divide-line rounded-lg border border-line"
          >
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
  elsewhere: labels.theRequestDoesntReach,
  page: labels.theServerShowsAnError,
};

function summarize({ answer, findings }: Verdict): [tone: Tone, title: string, text: string] {
  if (answer === 'continues') {
    const advice = findings.length === 0 ? '' : ' Additional advice:';
    const text = labels.theServerContinues(advice);
    return ['good', labels.thisUrlWorks, text];
  }
  if (answer === 'pushed') {
    const text = labels.theServerHasAlreadyChecked;
    return ['info', labels.thisUrlRefers, text];
  }
  const faults = findings.filter((finding) => finding.answer !== undefined).length;
  const back = labels.theServerRedirectsTheUser(answer);
  return ['danger', faults === 1 ? labels.oneError : labels.errors(faults), PLACES[answer] ?? back];
}
