import type { ChangeClientBody, CreateClientBody } from '../../../api/oauth-client-changes.ts';
import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { isProtocolScope } from '../../../lib/scope-words.ts';
import type { ApplicationId } from './applications.ts';

/** The values of the client form. Names are those of the API; lists may contain blank rows. */
export interface ClientValues {
  /** Used only to create a client. */
  application: ApplicationId | '';
  client_name: string;
  token_endpoint_auth_method: OAuthClient['token_endpoint_auth_method'];
  grant_types: string[];
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  backchannel_logout_uri: string;
  allowed_cors_origins: string[];
  logo_uri: string;
  client_uri: string;
  policy_uri: string;
  tos_uri: string;
  /** The server adds the scopes of the protocol. */
  scopes: string[];
  optional_scopes: string[];
  id_token_signed_response_alg: OAuthClient['id_token_signed_response_alg'];
  id_token_claims: boolean;
}

/** Fields with a list of addresses, one per row. */
export const uriLists = [
  'redirect_uris',
  'post_logout_redirect_uris',
  'allowed_cors_origins',
] as const;
export type UriListName = (typeof uriLists)[number];

/** Fields with the address of a page or an image. */
export const webUris = ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri'] as const;
/** Single addresses. The server alone checks the address for logout tokens: it depends on its settings. */
export type WebUriName = (typeof webUris)[number] | 'backchannel_logout_uri';

/** The initial values of the form. */
export const emptyValues: ClientValues = {
  application: '',
  client_name: '',
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [''],
  post_logout_redirect_uris: [],
  backchannel_logout_uri: '',
  allowed_cors_origins: [],
  logo_uri: '',
  client_uri: '',
  policy_uri: '',
  tos_uri: '',
  scopes: ['profile', 'email'],
  optional_scopes: [],
  id_token_signed_response_alg: 'ES256',
  id_token_claims: true,
};

/** Returns the form values of an existing client. */
export function valuesOf(client: OAuthClient): ClientValues {
  return {
    application: '',
    client_name: client.client_name,
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    grant_types: client.grant_types,
    redirect_uris: client.redirect_uris,
    post_logout_redirect_uris: client.post_logout_redirect_uris ?? [],
    backchannel_logout_uri: client.backchannel_logout_uri ?? '',
    allowed_cors_origins: client.allowed_cors_origins ?? [],
    logo_uri: client.logo_uri ?? '',
    client_uri: client.client_uri ?? '',
    policy_uri: client.policy_uri ?? '',
    tos_uri: client.tos_uri ?? '',
    scopes: client.scopes.filter((id) => !isProtocolScope(id)),
    optional_scopes: client.optional_scopes ?? [],
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    id_token_claims: client.id_token_claims,
  };
}

/** Removes blank rows. */
export function filledRows(rows: readonly string[]): string[] {
  return rows.map((row) => row.trim()).filter((row) => row !== '');
}

/** Converts all values to the format of the API. */
function fullBodyOf(values: ClientValues) {
  return {
    client_name: values.client_name.trim(),
    token_endpoint_auth_method: values.token_endpoint_auth_method,
    grant_types: values.grant_types,
    redirect_uris: filledRows(values.redirect_uris),
    post_logout_redirect_uris: filledRows(values.post_logout_redirect_uris),
    backchannel_logout_uri: values.backchannel_logout_uri.trim(),
    allowed_cors_origins: filledRows(values.allowed_cors_origins),
    scopes: values.scopes,
    optional_scopes: values.optional_scopes,
    logo_uri: values.logo_uri.trim(),
    client_uri: values.client_uri.trim(),
    policy_uri: values.policy_uri.trim(),
    tos_uri: values.tos_uri.trim(),
    id_token_signed_response_alg: values.id_token_signed_response_alg,
    id_token_claims: values.id_token_claims,
  };
}

/** Returns the body that creates the client, without default values. */
export function createBodyOf(values: ClientValues): CreateClientBody {
  const { client_name: name, token_endpoint_auth_method: authMethod, ...rest } = fullBodyOf(values);
  const { grant_types: grantTypes, redirect_uris: redirectUris, scopes, ...optional } = rest;
  const defaults: readonly unknown[] = ['', 'ES256', true];
  const set = Object.entries(optional).filter(
    ([, value]) => !defaults.includes(value) && !(Array.isArray(value) && value.length === 0),
  );
  return {
    client_name: name,
    token_endpoint_auth_method: authMethod,
    response_types: ['code'],
    grant_types: grantTypes,
    redirect_uris: redirectUris,
    scopes,
    ...Object.fromEntries(set),
  };
}

/** Returns the body that changes the client: only changed fields. An empty address removes the stored one. */
export function changesOf(client: OAuthClient, values: ClientValues): ChangeClientBody {
  const before = fullBodyOf(valuesOf(client));
  const after = fullBodyOf(values);
  const changed = Object.entries(after).filter(
    ([name, value]) =>
      JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  const body: ChangeClientBody = Object.fromEntries(changed);
  // The server checks the two lists against each other.
  if ('scopes' in body && after.optional_scopes.length + before.optional_scopes.length > 0) {
    body.optional_scopes = after.optional_scopes;
  }
  return body;
}

/** Returns the form row of a list entry in the body, which contains no blank rows. */
export function rowPath(values: ClientValues, path: string): string {
  const [name = '', index] = path.split('.');
  if (index === undefined || !uriLists.some((list) => list === name)) return path;
  const rows = values[name as UriListName];
  const filled = [...rows.keys()].filter((row) => (rows[row] ?? '').trim() !== '');
  return `${name}.${filled[Number(index)] ?? index}`;
}
