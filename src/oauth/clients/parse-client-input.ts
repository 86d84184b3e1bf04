import { type ErrorDefinition, type ErrorEntry, errorEntry } from '../../http/errors.ts';
import type { RedirectRules } from '../../lib/redirect-rules.ts';
import { oauthErrors } from '../oauth-errors.ts';
import { AUTH_METHODS, type CreateClientInput, type UpdateClientInput } from './client-schemas.ts';
import type { AuthMethod, ClientFields, OAuthClient } from './client-store.ts';
import { findCorsOriginFault } from './cors-origin.ts';
import { findRedirectUriFault } from './redirect-uri.ts';
import {
  DEFAULT_SCOPES,
  type GrantType,
  findOptionalScopeFault,
  findUnknownScopeFault,
  isProtocolScope,
  withProtocolScopes,
} from './scopes.ts';
import { reportFrozen, reportMissingToBePublic } from './visibility.ts';
import { findBackchannelUriFault, findWebUriFault } from './web-uri.ts';

const MAX_LIST_ITEMS = 100;
/** Of all lists of a client together: a list of a thousand clients must stay one that can be sent. */
export const MAX_LISTS_BYTES = 32 * 1_024;

const { invalidField, invalidRedirectUri, unknownScope } = oauthErrors;

/** Gathers the faults of one body; the reason follows the field's name. */
export type Report = (definition: ErrorDefinition, pointer: string, reason: string) => void;

interface Fault {
  definition: ErrorDefinition;
  /** In words that follow the field's name. */
  reason: string;
}

/** A body whose fields may still hold anything. */
type RawFields = Readonly<Record<string, unknown>>;

/**
 * Every fault of a body that the schemas cannot tell. It is asked about bodies that a schema refused
 * too, so that one answer holds all faults: fields of the wrong type are passed over here, because
 * the schema reports those.
 * @param stored the client that the body changes; undefined when it makes a new one
 */
export function findClientFaults(
  body: unknown,
  stored: OAuthClient | undefined,
  rules: RedirectRules,
): ErrorEntry[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  const fields = body as RawFields;
  const faults: ErrorEntry[] = [];
  const report: Report = (definition, pointer, reason) => {
    const name = pointer.slice(1).replaceAll('/', '.');
    const message = `${definition.message}: ${name} ${reason}`;
    faults.push(errorEntry(definition, { message, pointer }));
  };
  checkName(fields, report);
  checkFlow(fields, report);
  checkAuthMethodSwitch(fields, stored, report);
  checkUris(fields, stored, rules, report);
  checkScopes(fields, stored, report);
  checkListBytes(fields, stored, report);
  checkVisibility(fields, stored, report);
  return faults;
}

/** The fields of a new client, from a body without faults. */
export function readNewClient(input: CreateClientInput): ClientFields {
  return applyClientInput(input, {
    name: input.client_name,
    grantTypes: [],
    authMethod: input.token_endpoint_auth_method,
    redirectUris: input.redirect_uris,
    scopes: DEFAULT_SCOPES,
    optionalScopes: [],
    postLogoutRedirectUris: undefined,
    allowedCorsOrigins: undefined,
    logoUri: undefined,
    policyUri: undefined,
    tosUri: undefined,
    clientUri: undefined,
    idTokenAlg: 'ES256',
    hasIdTokenClaims: true,
    backchannelLogoutUri: undefined,
    isLogoutSessionRequired: undefined,
  });
}

/** The fields of a client after the changes of a body without faults. */
export function applyClientInput(
  input: Omit<UpdateClientInput, 'visibility'>,
  stored: ClientFields,
): ClientFields {
  const grantTypes = (input.grant_types as GrantType[] | undefined) ?? stored.grantTypes;
  return {
    name: input.client_name ?? stored.name,
    grantTypes,
    authMethod: input.token_endpoint_auth_method ?? stored.authMethod,
    redirectUris: input.redirect_uris ?? stored.redirectUris,
    scopes: withProtocolScopes(input.scopes ?? stored.scopes, grantTypes),
    optionalScopes: input.optional_scopes ?? stored.optionalScopes,
    postLogoutRedirectUris: readList(
      input.post_logout_redirect_uris,
      stored.postLogoutRedirectUris,
    ),
    allowedCorsOrigins: readList(input.allowed_cors_origins, stored.allowedCorsOrigins),
    logoUri: readWebUri(input.logo_uri, stored.logoUri),
    policyUri: readWebUri(input.policy_uri, stored.policyUri),
    tosUri: readWebUri(input.tos_uri, stored.tosUri),
    clientUri: readWebUri(input.client_uri, stored.clientUri),
    idTokenAlg: input.id_token_signed_response_alg ?? stored.idTokenAlg,
    hasIdTokenClaims: input.id_token_claims ?? stored.hasIdTokenClaims,
    backchannelLogoutUri: readWebUri(input.backchannel_logout_uri, stored.backchannelLogoutUri),
    isLogoutSessionRequired:
      input.backchannel_logout_session_required === undefined
        ? stored.isLogoutSessionRequired
        : (input.backchannel_logout_session_required ?? undefined),
  };
}

/** Returns an optional list after a change: null removes it. */
function readList(
  value: string[] | null | undefined,
  stored: string[] | undefined,
): string[] | undefined {
  return value === undefined ? stored : (value ?? undefined);
}

/** A web URI after a change: empty and null take it away, and what is not sent stays. */
function readWebUri(value: unknown, stored: string | undefined): string | undefined {
  if (value === null || value === '') return undefined;
  return typeof value === 'string' ? value : stored;
}

// A name is shown where users decide whom to trust: what hides in it, or turns the text around it,
// could make it read as another's.
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
// The blank Braille pattern counts as a symbol.
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
// Emoji are put together with joiners and variation selectors; elsewhere they only hide.
const HIDDEN = new RegExp(
  [
    String.raw`(?![\u200D\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}`,
    String.raw`(?<!${VISIBLE.source})\p{Variation_Selector}`,
    String.raw`(?<!${VISIBLE.source}\p{Variation_Selector}?)\u200D`,
  ].join('|'),
  'u',
);

function checkName({ client_name: name }: RawFields, report: Report): void {
  if (typeof name !== 'string' || name === '') return;
  if (UNSHOWABLE.test(name) || HIDDEN.test(name)) {
    report(invalidField, '/client_name', 'must not contain control or invisible characters');
  } else if (!VISIBLE.test(name)) {
    report(invalidField, '/client_name', 'must contain a visible character');
  }
}

/** Seed section 5.3: the Authorization Code flow alone, and the refreshing of its tokens. */
function checkFlow(fields: RawFields, report: Report): void {
  const { unsupportedGrantType, unsupportedResponseType } = oauthErrors;
  checkList(fields, report, {
    field: 'response_types',
    definition: unsupportedResponseType,
    minItems: 1,
    findFault: (text) => (text === 'code' ? undefined : 'must be code'),
  });
  checkList(fields, report, {
    field: 'grant_types',
    definition: unsupportedGrantType,
    minItems: 0,
    findFault: (text) =>
      text === 'authorization_code' || text === 'refresh_token'
        ? undefined
        : 'must be authorization_code or refresh_token',
  });
  const { grant_types: grantTypes } = fields;
  if (Array.isArray(grantTypes) && !grantTypes.includes('authorization_code')) {
    report(unsupportedGrantType, '/grant_types', 'must contain authorization_code');
  }
}

/**
 * A client with a secret and one without are different kinds (RFC 6749 section 2.1): whether users
 * and redirect URIs could be trusted was decided for the one. A switch would also leave secrets that
 * nobody may use, or a client that has none to authenticate with.
 */
function checkAuthMethodSwitch(
  fields: RawFields,
  stored: OAuthClient | undefined,
  report: Report,
): void {
  const authMethod = readAuthMethod(fields);
  if (stored === undefined || authMethod === undefined) return;
  if ((authMethod === 'none') === (stored.authMethod === 'none')) return;
  report(
    invalidField,
    '/token_endpoint_auth_method',
    'cannot change between none and a secret. Create a new client instead',
  );
}

function readAuthMethod(fields: RawFields): AuthMethod | undefined {
  return AUTH_METHODS.find((method) => method === fields.token_endpoint_auth_method);
}

function checkUris(
  fields: RawFields,
  stored: OAuthClient | undefined,
  rules: RedirectRules,
  report: Report,
): void {
  const authMethod = readAuthMethod(fields) ?? stored?.authMethod;
  const holdsSecret = authMethod !== undefined && authMethod !== 'none';
  for (const [field, minItems] of [
    ['redirect_uris', 1],
    ['post_logout_redirect_uris', 0],
  ] as const) {
    checkList(fields, report, {
      field,
      definition: invalidRedirectUri,
      minItems,
      findFault: (text) => findRedirectUriFault(text, holdsSecret, rules),
    });
  }
  checkList(fields, report, {
    field: 'allowed_cors_origins',
    definition: invalidField,
    minItems: 0,
    findFault: findCorsOriginFault,
  });
  const { backchannel_logout_uri: logoutUri } = fields;
  if (typeof logoutUri === 'string' && logoutUri !== '') {
    const reason = findBackchannelUriFault(logoutUri, rules);
    if (reason !== undefined) report(invalidField, '/backchannel_logout_uri', reason);
  }
  for (const field of ['logo_uri', 'client_uri', 'policy_uri', 'tos_uri']) {
    const text = fields[field];
    if (typeof text !== 'string' || text === '') continue;
    const reason = findWebUriFault(text);
    if (reason !== undefined) report(invalidField, `/${field}`, reason);
  }
}

function checkScopes(fields: RawFields, stored: OAuthClient | undefined, report: Report): void {
  checkList(fields, report, {
    field: 'scopes',
    definition: invalidField,
    minItems: 0,
    findFault: unknownScopeFault,
  });
  const kept = stored?.scopes ?? DEFAULT_SCOPES;
  const scopes = fields.scopes === undefined ? kept : readTexts(fields.scopes);
  checkList(fields, report, {
    field: 'optional_scopes',
    definition: invalidField,
    minItems: 0,
    findFault: (id) => {
      const reason = scopes === undefined ? undefined : findOptionalScopeFault(id, scopes);
      // That it is unknown says more than that it is not among the scopes.
      return id === 'offline' ? reason : (unknownScopeFault(id) ?? reason);
    },
  });
  if (scopes === undefined || fields.optional_scopes !== undefined) return;
  const orphans = stored?.optionalScopes.filter((id) => !scopes.includes(id)) ?? [];
  if (orphans.length > 0) {
    report(
      invalidField,
      '/scopes',
      `must contain ${orphans.join(', ')}, which optional_scopes holds: change both together`,
    );
  }
}

/** The lists that are not sent count first: what is too much is then one that is. */
function checkListBytes(fields: RawFields, stored: OAuthClient | undefined, report: Report): void {
  const lists: [string, readonly string[] | undefined][] = [
    ['redirect_uris', stored?.redirectUris],
    ['post_logout_redirect_uris', stored?.postLogoutRedirectUris],
    ['allowed_cors_origins', stored?.allowedCorsOrigins],
    ['scopes', stored?.scopes],
    ['optional_scopes', stored?.optionalScopes],
  ];
  let sum = 0;
  for (const [field, kept = []] of lists) if (fields[field] === undefined) sum += bytesOf(kept);
  for (const [field] of lists) {
    sum += bytesOf(readTexts(fields[field]) ?? []);
    if (fields[field] === undefined || sum <= MAX_LISTS_BYTES) continue;
    const limit = `is too much: all lists of a client together have at most ${MAX_LISTS_BYTES} bytes`;
    report(invalidField, `/${field}`, limit);
    return;
  }
}

/** Without what the server adds, so that a list that was accepted is accepted again. */
function bytesOf(texts: readonly string[]): number {
  return texts.reduce(
    (sum, text) => sum + (isProtocolScope(text) ? 0 : Buffer.byteLength(text)),
    0,
  );
}

function unknownScopeFault(id: string): Fault | undefined {
  const reason = findUnknownScopeFault(id);
  return reason === undefined ? undefined : { definition: unknownScope, reason };
}

/** The client is judged as it would be after the change. */
function checkVisibility(fields: RawFields, stored: OAuthClient | undefined, report: Report): void {
  if (stored === undefined) return;
  const after = {
    scopes: readTexts(fields.scopes) ?? stored.scopes,
    logoUri: readWebUri(fields.logo_uri, stored.logoUri),
    clientUri: readWebUri(fields.client_uri, stored.clientUri),
  };
  if (stored.visibility === 'private') {
    if (fields.visibility === 'public') reportMissingToBePublic(after, stored, report);
    return;
  }
  if (fields.visibility === 'private') {
    report(oauthErrors.publicIsPermanent, '/visibility', 'cannot be private again');
  }
  const sent = {
    scopes: fields.scopes !== undefined,
    logoUri: fields.logo_uri !== undefined,
    clientUri: fields.client_uri !== undefined,
  };
  reportFrozen(after, sent, stored.clientUri, report);
}

function readTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

interface ListRule {
  field: string;
  /** Tells of the list itself, and of its items where `findFault` names no other. */
  definition: ErrorDefinition;
  minItems: number;
  findFault(text: string): string | Fault | undefined;
}

/** Checks the length of a list, that nothing is in it twice, and every text of it. */
function checkList(fields: RawFields, report: Report, rule: ListRule): void {
  const items: unknown = fields[rule.field];
  if (!Array.isArray(items)) return;
  if (items.length < rule.minItems || items.length > MAX_LIST_ITEMS) {
    const bounds = `must have ${rule.minItems} to ${MAX_LIST_ITEMS} entries`;
    report(rule.definition, `/${rule.field}`, bounds);
  }
  const seen = new Set<unknown>();
  for (const [index, item] of items.slice(0, MAX_LIST_ITEMS).entries()) {
    if (typeof item !== 'string') continue;
    const fault = seen.has(item) ? 'must not be repeated' : rule.findFault(item);
    seen.add(item);
    const pointer = `/${rule.field}/${index}`;
    if (typeof fault === 'string') report(rule.definition, pointer, fault);
    else if (fault !== undefined) report(fault.definition, pointer, fault.reason);
  }
}
