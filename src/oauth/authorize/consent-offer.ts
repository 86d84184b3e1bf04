import { listMemberships } from '../../iam/memberships/membership-store.ts';
import { MAX_MEMBERSHIPS_PER_PERSON } from '../../iam/memberships/check-membership-room.ts';
import type { UserAccess } from '../../iam/users/user-access.ts';
import type { RegisteredClient } from '../clients/client-directory.ts';
import type { Grant } from '../grants/grant-store.ts';
import { redirectOriginOf } from '../grants/redirect-origin.ts';
import type { OAuthServices } from '../oauth-services.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { isAccountScope } from './scope-words.ts';

/** An account of the person that the client may be let into. */
export interface OfferedAccount {
  id: string;
  name: string;
  /** The account demands a second factor and the person has none: nothing can be done in it. */
  lacksSecondFactor: boolean;
}

export interface OfferedScope {
  id: string;
  /** The person may decline it. */
  isOptional: boolean;
  /** The person has allowed it before. */
  isGranted: boolean;
}

/** All that a person decides about, as it is now. */
export interface ConsentOffer {
  request: AuthorizationRequest;
  client: RegisteredClient;
  user: UserAccess;
  scopes: OfferedScope[];
  /** Undefined when the client asks for nothing that is in accounts. */
  accounts: OfferedAccount[] | undefined;
  remembered: Grant | undefined;
  /** The person has allowed the client something, but never for the origin of this redirect URI. */
  isNewOrigin: boolean;
}

/** What of an offer the person has ticked. */
export interface Ticks {
  accountIds: readonly string[];
  scopes: readonly string[];
}

/** Puts together what a person is asked. */
export async function makeOffer(
  { database }: Pick<OAuthServices, 'database'>,
  asked: Pick<ConsentOffer, 'request' | 'client' | 'user' | 'remembered'>,
): Promise<ConsentOffer> {
  const { request, client, user, remembered } = asked;
  const scopes = request.scopes.map((id) => ({
    id,
    isOptional: client.optionalScopes.includes(id),
    isGranted: remembered?.scopes.includes(id) === true,
  }));
  const isAboutAccounts = request.scopes.some(isAccountScope);
  const isNewOrigin =
    remembered !== undefined &&
    !Object.hasOwn(remembered.scopesByOrigin, redirectOriginOf(request.redirectUri));
  return {
    ...asked,
    isNewOrigin,
    scopes,
    accounts: isAboutAccounts ? await listAccounts(database.read, user) : undefined,
  };
}

async function listAccounts(
  db: OAuthServices['database']['read'],
  user: UserAccess,
): Promise<OfferedAccount[]> {
  const { memberships } = await listMemberships(
    db,
    user.id,
    { names: [], status: 'accepted', order: 'account.name', direction: 'asc' },
    { page: 1, perPage: MAX_MEMBERSHIPS_PER_PERSON, offset: 0 },
  );
  const lacking = new Map(
    user.memberships.map(({ accountId, lacksSecondFactor }) => [accountId, lacksSecondFactor]),
  );
  return memberships.flatMap(({ account: { id, name } }) => {
    const lacksSecondFactor = lacking.get(id);
    return lacksSecondFactor === undefined ? [] : [{ id, name, lacksSecondFactor }];
  });
}

/** The accounts of an offer in which something can be done. */
export function usableAccounts({ accounts = [] }: ConsentOffer): OfferedAccount[] {
  return accounts.filter(({ lacksSecondFactor }) => !lacksSecondFactor);
}

/**
 * What is ticked before the person has ticked anything: what was picked before, or the only account
 * that there is, and every scope that was not declined before.
 */
export function initialTicks(offer: ConsentOffer): Ticks {
  const { scopes, remembered } = offer;
  const usable = usableAccounts(offer).map(({ id }) => id);
  const known = usable.filter((id) => remembered?.accountIds.includes(id));
  const declined = remembered?.declinedScopes ?? [];
  return {
    accountIds: known.length === 0 && usable.length === 1 ? usable : known,
    scopes: scopes
      .filter(({ id, isOptional }) => !isOptional || !declined.includes(id))
      .map(({ id }) => id),
  };
}
