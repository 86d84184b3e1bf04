import { showMembers } from '../../iam/audit/audit-view.ts';
import { type Static, Type } from 'typebox';
import type { AuditedChange } from '../../iam/changes.ts';
import { formatTime } from '../../lib/clock.ts';
import type { Grant } from './grant-store.ts';

const AccountSchema = Type.Object({ id: Type.String(), name: Type.String() });

const ClientSchema = Type.Object({
  client_id: Type.String(),
  client_name: Type.String(),
  visibility: Type.Enum(['public', 'private']),
  logo_uri: Type.Optional(
    Type.String({ description: "Path of this server's own copy of the picture" }),
  ),
  publisher: Type.Optional(
    Type.Object({
      host: Type.String({ description: 'Of `client_uri`' }),
      verified: Type.Boolean({ description: 'True if the host of the client is verified' }),
    }),
  ),
});

export const GrantSchema = Type.Object({
  id: Type.String(),
  client: ClientSchema,
  accounts: Type.Array(AccountSchema, {
    description: 'Accounts that the client can access: the selected ones of which you are a member',
  }),
  scopes: Type.Array(Type.String()),
  declined_scopes: Type.Array(Type.String(), {
    description: 'Requested scopes that you declined',
  }),
  created_at: Type.String(),
  updated_at: Type.String({ description: 'Time of your last decision' }),
  last_used_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Time of the last use, to the minute',
  }),
});

export const GrantParams = Type.Object({
  grant_id: Type.String({ description: 'Id of the authorization: 32 hex digits' }),
});

/** The client of a grant, as its person sees it. */
export interface GrantedClient {
  id: string;
  name: string;
  visibility: 'public' | 'private';
  hasLogo: boolean;
  /** Host of `client_uri`. */
  host: string | undefined;
  isHostVerified: boolean;
}

/** An account in which a grant counts. */
export interface GrantedAccount {
  id: string;
  name: string;
}

/** A grant as the API shows it to its person. */
export function presentGrant(
  grant: Grant,
  client: GrantedClient,
  accounts: readonly GrantedAccount[],
): Static<typeof GrantSchema> {
  return {
    id: grant.id,
    client: presentClient(client),
    accounts: accounts.map(({ id, name }) => ({ id, name })),
    scopes: grant.scopes,
    declined_scopes: grant.declinedScopes,
    created_at: formatTime(grant.createdAtMs),
    updated_at: formatTime(grant.updatedAtMs),
    last_used_at: grant.lastUsedAtMs === undefined ? null : formatTime(grant.lastUsedAtMs),
  };
}

function presentClient(client: GrantedClient): Static<typeof ClientSchema> {
  const { id, name, visibility, hasLogo, host, isHostVerified } = client;
  return {
    client_id: id,
    client_name: name,
    visibility,
    ...(hasLogo ? { logo_uri: `/oauth2/clients/${id}/logo` } : {}),
    ...(host === undefined ? {} : { publisher: { host, verified: isHostVerified } }),
  };
}

/** A change of a grant, for the audit log of its person or of an account in which it counts. */
export function grantChange(
  grant: Pick<Grant, 'id'>,
  chain: AuditedChange['chain'],
  type: string,
  description: string,
): AuditedChange {
  return {
    chain,
    type,
    description,
    resource: { type: 'oauth_grant', id: grant.id, product: 'oauth_clients' },
    // The result may be a code.
    shows: {
      request: showMembers('client_id', 'client_name', 'accounts', 'scopes', 'declined_scopes'),
    },
  };
}
