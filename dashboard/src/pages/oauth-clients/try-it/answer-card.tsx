import { CircleAlert, CircleCheck } from '../../../ui/icons.tsx';
import { useState } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { type AnswerPart, readAnswer } from '../../../lib/authorization-answer.ts';
import { issuer } from '../../../lib/site.ts';
import { SECRET_VARIABLE, tokenCommand } from '../../../lib/token-request.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { type Attempt, sentRedirectUri } from './attempt.ts';
import { labels } from './labels.ts';

interface AnswerCardProps {
  client: OAuthClient;
  attempt: Attempt;
}

/** Reads the address that the person came back to, as an application has to. */
export function AnswerCard({ client, attempt }: AnswerCardProps) {
  const [text, setText] = useState('');
  const redirectUri = sentRedirectUri(client, attempt);
  const answer =
    text.trim() === ''
      ? undefined
      : readAnswer(text, { redirectUri, state: attempt.state, issuer });
  return (
    <Card title="2. Read the response">
      <div className="space-y-4">
        <Field label={labels.urlAfterTheRedirect} hint={<Whereabouts redirectUri={redirectUri} />}>
          <Textarea
            rows={3}
            spellCheck={false}
            className="font-mono text-sm break-all"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <div role="status">
          {answer !== undefined && (
            <ul className="divide-y divide-line rounded-lg border border-line">
              {answer.parts.map((part) => (
                <Part key={part.name + part.meaning} part={part} />
              ))}
            </ul>
          )}
        </div>
        {answer?.code !== undefined && (
          <Redemption client={client} attempt={attempt} code={answer.code} />
        )}
      </div>
    </Card>
  );
}

function Whereabouts({ redirectUri }: { redirectUri: string }) {
  if (!/^https?:/.test(redirectUri)) {
    return labels.theAppOnTheDevice;
  }
  return labels.copyTheCompleteUrl;
}

function Part({ part: { name, value, isGood, meaning } }: { part: AnswerPart }) {
  const Icon = isGood ? CircleCheck : CircleAlert;
  return (
    <li className="flex items-start gap-2.5 px-3.5 py-2.5">
      <Icon
        aria-hidden
        className={`mt-0.5 size-5 shrink-0 ${isGood ? 'text-accent' : 'text-danger'}`}
      />
      <div className="min-w-0 text-[0.9375rem]">
        <p>
          <span className="sr-only">{isGood ? labels.good : labels.bad}</span>
          <span className="font-medium">{name}</span>{' '}
          <code className="font-mono text-sm break-all text-muted">{value}</code>
        </p>
        <p className="wrap-anywhere">{meaning}</p>
      </div>
    </li>
  );
}

function Redemption({ client, attempt, code }: AnswerCardProps & { code: string }) {
  const { client_id: id, token_endpoint_auth_method: authMethod } = client;
  const redirectUri = sentRedirectUri(client, attempt);
  const { verifier } = attempt;
  const command = tokenCommand(issuer, { id, authMethod }, { code, redirectUri, verifier });
  return (
    <section aria-labelledby="redemption" className="space-y-3">
      <h3 id="redemption" className="text-[0.9375rem] font-semibold">
        {labels.redeemTheCode}
      </h3>
      <p className="text-[0.9375rem]">
        Redeem the code once, within a minute. The verifier proves that the same application started
        the request.
        {authMethod !== 'none' && (
          <>
            {' '}
            The command takes the client secret from the variable{' '}
            <code className="font-mono text-sm">{SECRET_VARIABLE}</code>.
          </>
        )}
      </p>
      <CodeBlock text={command} label="token request" />
      <p className="text-sm text-muted">
        The response contains an access token for the API
        {attempt.scopes.includes('offline_access') && ', a refresh token'}
        {attempt.scopes.includes('openid') && ', an ID token with the nonce from above'}. To repeat,
        generate new values and send another request.
      </p>
    </section>
  );
}
