import { useSuspenseQuery } from '@tanstack/react-query';
import { ExternalLink, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { authorizationUrl } from '../../../lib/authorization-url.ts';
import { issuer } from '../../../lib/site.ts';
import { Callout } from '../../../ui/badge.tsx';
import { AnchorButton, Button } from '../../../ui/button.tsx';
import { CopyButton, CopyText } from '../../../ui/copy.tsx';
import { Field, Fieldset, Input, Select } from '../../../ui/field.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { ScopesPicker } from '../scopes/scopes-picker.tsx';
import {
  type Attempt,
  freshValues,
  hasFreePort,
  sentRedirectUri,
  useChallenge,
} from './attempt.ts';

interface RequestCardProps {
  client: OAuthClient;
  attempt: Attempt;
  change: (change: Partial<Attempt>) => void;
}

/** Builds the address with which an application sends a person. */
export function RequestCard({ client, attempt, change }: RequestCardProps) {
  const challenge = useChallenge(attempt.verifier);
  const url =
    challenge &&
    authorizationUrl(issuer, {
      client_id: client.client_id,
      redirect_uri: sentRedirectUri(client, attempt),
      scope: attempt.scopes.join(' '),
      state: attempt.state,
      nonce: attempt.scopes.includes('openid') ? attempt.nonce : undefined,
      code_challenge: challenge,
      prompt: attempt.prompt,
      login_hint: attempt.loginHint.trim(),
      max_age: attempt.maxAge.trim(),
    });
  return (
    <Card title="1. Send a person" lead="The address is built as you choose.">
      <div className="space-y-5">
        <RedirectField client={client} attempt={attempt} change={change} />
        <Scopes client={client} attempt={attempt} change={change} />
        <MoreParameters attempt={attempt} change={change} />
        <Generated attempt={attempt} challenge={challenge ?? '…'} change={change} />
        {url && <BuiltUrl url={url} client={client} />}
      </div>
    </Card>
  );
}

function RedirectField({ client, attempt, change }: RequestCardProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
      <Field
        label="Redirect URI"
        hint="Where the answer goes: one of those that are registered, character by character."
      >
        <Select
          value={attempt.redirectUri}
          onChange={(event) => change({ redirectUri: event.target.value })}
        >
          {client.redirect_uris.map((uri) => (
            <option key={uri}>{uri}</option>
          ))}
        </Select>
      </Field>
      {hasFreePort(client, attempt.redirectUri) && (
        <Field label="Port" isOptional hint="Any fits.">
          <Input
            inputMode="numeric"
            value={attempt.port}
            onChange={(event) => change({ port: event.target.value.replaceAll(/\D/g, '') })}
          />
        </Field>
      )}
    </div>
  );
}

function Scopes({ client, attempt, change }: RequestCardProps) {
  const { data: all } = useSuspenseQuery(oauthScopesQuery);
  return (
    <Fieldset
      legend="Scopes"
      hint={
        attempt.scopes.length === 0
          ? 'Without any, everything that the client is registered for is asked for.'
          : 'Those that the client is registered for.'
      }
    >
      <ScopesPicker
        scopes={all.filter(({ id }) => client.scopes.includes(id))}
        value={attempt.scopes}
        onChange={(scopes) => change({ scopes })}
      />
    </Fieldset>
  );
}

function MoreParameters({ attempt, change }: Omit<RequestCardProps, 'client'>) {
  // From then on it is the person who opens and closes it.
  const [isOpen] = useState(
    attempt.prompt !== '' || attempt.loginHint !== '' || attempt.maxAge !== '',
  );
  return (
    <details open={isOpen}>
      <summary className="text-[0.9375rem] font-medium">More parameters</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-3">
        <Field label="Prompt" hint="What the person is asked.">
          <Select
            value={attempt.prompt}
            onChange={(event) => change({ prompt: event.target.value })}
          >
            <option value="">What is needed</option>
            <option value="none">Nothing at all (none)</option>
            <option value="login">To sign in anew (login)</option>
            <option value="consent">To consent anew (consent)</option>
            <option value="select_account">Who they are (select_account)</option>
          </Select>
        </Field>
        <Field label="Login hint" isOptional hint="Fills in the sign-in page.">
          <Input
            type="email"
            placeholder="ada@example.com"
            value={attempt.loginHint}
            onChange={(event) => change({ loginHint: event.target.value })}
          />
        </Field>
        <Field label="Maximum age" isOptional hint="Seconds since the sign-in.">
          <Input
            inputMode="numeric"
            value={attempt.maxAge}
            onChange={(event) => change({ maxAge: event.target.value.replaceAll(/\D/g, '') })}
          />
        </Field>
      </div>
    </details>
  );
}

interface GeneratedProps extends Omit<RequestCardProps, 'client'> {
  challenge: string;
}

function Generated({ attempt, challenge, change }: GeneratedProps) {
  return (
    <Fieldset
      legend="Made for this one attempt"
      hint="An application makes them anew for each person. They stay in this tab."
    >
      <div className="space-y-3">
        <Facts>
          <Fact name="State">
            <CopyText text={attempt.state} label="Copy state" />
          </Fact>
          {attempt.scopes.includes('openid') && (
            <Fact name="Nonce">
              <CopyText text={attempt.nonce} label="Copy nonce" />
            </Fact>
          )}
          <Fact name="PKCE verifier">
            <CopyText text={attempt.verifier} label="Copy PKCE verifier" />
          </Fact>
          <Fact name="PKCE challenge (S256)">
            <CopyText text={challenge} label="Copy PKCE challenge" />
          </Fact>
        </Facts>
        <Button
          isSmall
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={() => change(freshValues())}
        >
          Make new ones
        </Button>
      </div>
    </Fieldset>
  );
}

function BuiltUrl({ url, client }: { url: string; client: OAuthClient }) {
  const [place = '', query = ''] = url.split('?');
  return (
    <div className="space-y-3">
      <h3 className="text-[0.9375rem] font-semibold">Authorization URL</h3>
      <div className="relative rounded-lg border border-line bg-sunken p-3.5 pr-12 font-mono text-[0.8125rem] leading-relaxed break-all">
        {/* A line for each parameter is easier to read; what is copied is one. */}
        <span className="block">{place}</span>
        {query.split('&').map((parameter, index) => (
          <span key={parameter} className="block">
            {index === 0 ? '?' : '&'}
            {parameter}
          </span>
        ))}
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={url} label="Copy authorization URL" />
        </div>
      </div>
      <Callout
        actions={
          <AnchorButton
            look="primary"
            href={url}
            icon={<ExternalLink aria-hidden className="size-4" />}
          >
            Open in a new tab
          </AnchorButton>
        }
      >
        You are asked as yourself, and what you approve is real. Afterwards you can take it back
        among your authorized applications.
        {client.visibility === 'private' && ' Other people see it only if they are members here.'}
      </Callout>
    </div>
  );
}
