import { CircleAlert, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { type AnswerPart, readAnswer } from '../../../lib/authorization-answer.ts';
import { issuer } from '../../../lib/site.ts';
import { SECRET_VARIABLE, tokenCommand } from '../../../lib/token-request.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Field, Textarea } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { type Attempt, sentRedirectUri } from './attempt.ts';

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
    <Card title="2. Read the answer">
      <div className="space-y-4">
        <Field
          label="Address that you came back to"
          hint={<Whereabouts redirectUri={redirectUri} />}
        >
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
    return 'An app on the device takes it, so no address bar shows it: log it in the app, or look into the network panel of the browser.';
  }
  return 'Copy all that the address bar holds. If nothing runs at the redirect URI, the browser says that the page cannot be reached, and the address is there all the same.';
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
          <span className="sr-only">{isGood ? 'Good: ' : 'Not good: '}</span>
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
        Turn the code into tokens
      </h3>
      <p className="text-[0.9375rem]">
        Within a minute, and once. The verifier proves that whoever redeems the code has begun the
        request.
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
        The answer holds an access token for the API
        {attempt.scopes.includes('offline_access') && ', a refresh token'}
        {attempt.scopes.includes('openid') && ', an ID token with the nonce from above'}. To do it
        again, make new values and send yourself once more.
      </p>
    </section>
  );
}
