import { useSuspenseQuery } from '@tanstack/react-query';
import { ExternalLink, RefreshCw } from '../../../ui/icons.tsx';
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
import { labels } from './labels.ts';

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
    <Card title="1. Send the request" lead={labels.theUrlReflectsYourChoices}>
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
      <Field label={labels.redirectUri} hint={labels.whereTheResponseGoesMust}>
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
        <Field label={labels.port} isOptional hint={labels.anyPortMatches}>
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
      legend={labels.scopes}
      hint={
        attempt.scopes.length === 0
          ? labels.withoutASelectionTheRequest
          : labels.theScopesRegistered
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
      <summary className="text-[0.9375rem] font-medium">{labels.moreParameters}</summary>
      <div className="mt-3 grid gap-4 sm:grid-cols-3">
        <Field label={labels.prompt} hint={labels.thePagesThatTheUser}>
          <Select
            value={attempt.prompt}
            onChange={(event) => change({ prompt: event.target.value })}
          >
            <option value="">{labels.default}</option>
            <option value="none">{labels.noPageNone}</option>
            <option value="login">{labels.signInPageLogin}</option>
            <option value="consent">{labels.consentPageConsent}</option>
            <option value="select_account">{labels.accountSelectionSelectAccount}</option>
          </Select>
        </Field>
        <Field label={labels.loginHint} isOptional hint={labels.prefillsTheSignInPage}>
          <Input
            type="email"
            placeholder="ada@example.com"
            value={attempt.loginHint}
            onChange={(event) => change({ loginHint: event.target.value })}
          />
        </Field>
        <Field label={labels.maximumAge} isOptional hint={labels.maximumSecondsSinceTheLast}>
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
    <Fieldset legend={labels.valuesForThisRequest} hint={labels.anApplicationGeneratesNewValues}>
      <div className="space-y-3">
        <Facts>
          <Fact name={labels.state}>
            <CopyText text={attempt.state} label={labels.copyState} />
          </Fact>
          {attempt.scopes.includes('openid') && (
            <Fact name={labels.nonce}>
              <CopyText text={attempt.nonce} label={labels.copyNonce} />
            </Fact>
          )}
          <Fact name={labels.pkceVerifier}>
            <CopyText text={attempt.verifier} label={labels.copyPkceVerifier} />
          </Fact>
          <Fact name={labels.pkceChallengeS256}>
            <CopyText text={challenge} label={labels.copyPkceChallenge} />
          </Fact>
        </Facts>
        <Button
          isSmall
          icon={<RefreshCw aria-hidden className="size-4" />}
          onClick={() => change(freshValues())}
        >
          {labels.generateNewValues}
        </Button>
      </div>
    </Fieldset>
  );
}

function BuiltUrl({ url, client }: { url: string; client: OAuthClient }) {
  const [place = '', query = ''] = url.split('?');
  return (
    <div className="space-y-3">
      <h3 className="text-[0.9375rem] font-semibold">{labels.authorizationUrl}</h3>
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
          <CopyButton text={url} label={labels.copyAuthorizationUrl} />
        </div>
      </div>
      <Callout
        actions={
          <AnchorButton
            look="primary"
            href={url}
            icon={<ExternalLink aria-hidden className="size-4" />}
          >
            {labels.openInANewTab}
          </AnchorButton>
        }
      >
        You act as yourself, and your approval is real. You can revoke it among your authorized
        applications.
        {client.visibility === 'private' &&
          ' Other users can authorize it only if they are members of this account.'}
      </Callout>
    </div>
  );
}
