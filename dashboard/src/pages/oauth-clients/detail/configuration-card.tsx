import { useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { scopeWords } from '../../../lib/scope-words.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { groupScopes, withUnknown } from '../scopes/scope-groups.ts';
import { labels } from './labels.ts';

const AUTH_METHODS: Readonly<Record<OAuthClient['token_endpoint_auth_method'], string>> = {
  client_secret_basic: labels.secretInTheAuthorizationHeader,
  client_secret_post: labels.secretInTheBody,
  none: labels.noSecretPkceRequired,
};

const GRANT_TYPES: Readonly<Record<OAuthClient['grant_types'][number], string>> = {
  authorization_code: labels.authorizationCode,
  refresh_token: labels.refreshToken,
};

/** How a client is registered. */
export function ConfigurationCard({ client }: { client: OAuthClient }) {
  const { token_endpoint_auth_method: method } = client;
  return (
    <Card title={labels.configuration}>
      <Facts>
        <Fact name={labels.redirectUris}>
          <Lines values={client.redirect_uris} />
        </Fact>
        <Fact name={labels.scopes}>
          <Scopes client={client} />
        </Fact>
        <Fact name={labels.grantTypes}>
          {client.grant_types.map((type) => GRANT_TYPES[type]).join(', ')}
        </Fact>
        <Fact name={labels.authentication}>
          {AUTH_METHODS[method]} <Code>{method}</Code>
        </Fact>
        <Fact name={labels.corsOrigins}>
          <Lines
            values={client.allowed_cors_origins ?? []}
            empty={labels.noneBrowserPagesCantRedeem}
          />
        </Fact>
        <Fact name={labels.afterSignOut}>
          <Lines
            values={client.post_logout_redirect_uris ?? []}
            empty={labels.noPostLogoutRedirectUri}
          />
        </Fact>
        <Fact name={labels.backchannelLogout}>
          <Lines
            values={
              client.backchannel_logout_uri === undefined ? [] : [client.backchannel_logout_uri]
            }
            empty={labels.noBackchannelLogoutUri}
          />
        </Fact>
        <Fact name={labels.idTokens}>
          Signed with <Code>{client.id_token_signed_response_alg}</Code>
          {client.id_token_claims ? labels.withUserClaims : labels.withoutUserClaims}
        </Fact>
        <Addresses client={client} />
      </Facts>
    </Card>
  );
}

function Code({ children }: { children: ReactNode }) {
  return <code className="font-mono text-sm break-all text-muted">{children}</code>;
}

function Lines({ values, empty = labels.none }: { values: readonly string[]; empty?: string }) {
  if (values.length === 0) return <span className="text-muted">{empty}</span>;
  return (
    <ul className="space-y-1">
      {values.map((value) => (
        <li key={value} className="font-mono text-sm break-all">
          {value}
        </li>
      ))}
    </ul>
  );
}

function Scopes({ client }: { client: OAuthClient }) {
  const { data: all } = useSuspenseQuery(oauthScopesQuery);
  const { scopes: ids, optional_scopes: optional = [] } = client;
  const known = all.filter(({ id }) => ids.includes(id));
  return (
    <div className="space-y-3">
      {groupScopes(withUnknown(known, ids), '').map(({ id, title, scopes }) => (
        <div key={id}>
          <p className="text-sm text-muted">{title}</p>
          <ul className="mt-1 space-y-1">
            {scopes.map((scope) => (
              <li key={scope.id} className="flex flex-wrap items-baseline gap-x-2">
                {scopeWords(scope.id) ?? scope.name} <Code>{scope.id}</Code>
                {optional.includes(scope.id) && <Badge>optional</Badge>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Addresses({ client }: { client: OAuthClient }) {
  const addresses = [
    [labels.homePage, client.client_uri],
    [labels.logo, client.logo_uri],
    [labels.privacyPolicy, client.policy_uri],
    [labels.termsOfService, client.tos_uri],
  ] as const;
  return addresses.map(([name, uri]) => (
    <Fact key={name} name={name}>
      {uri === undefined ? (
        <span className="text-muted">{labels.notSet}</span>
      ) : (
        <Address uri={uri} />
      )}
    </Fact>
  ));
}

function Address({ uri }: { uri: string }) {
  if (!/^https?:\/\//i.test(uri)) return uri;
  return (
    <a href={uri} rel="noreferrer" target="_blank" className="break-all text-accent underline">
      {uri}
    </a>
  );
}
