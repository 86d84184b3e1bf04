import type { Grant } from '../grants/grant-store.ts';
import { type ConsentOffer, type Ticks, usableAccounts } from './consent-offer.ts';
import { isAccountScope } from './scope-words.ts';

/** What a person has decided. */
export interface ConsentDecision {
  /** Empty when nothing in any account is allowed. */
  accountIds: string[];
  scopes: string[];
  declinedScopes: string[];
}

/** What is ticked in a form that was sent. */
export function readTicks(fields: URLSearchParams): Ticks {
  return { accountIds: fields.getAll('account'), scopes: fields.getAll('scope') };
}

/** Why what is ticked is no decision, in words for the person. */
export interface Objection {
  error: string;
  /** What of the form has to be changed. */
  about: 'accounts' | 'scopes';
}

/**
 * Makes a decision out of what is ticked. The form may be altered, and the application may have
 * changed since it was shown: nothing counts that was not both offered and ticked.
 */
export function decide(
  offer: ConsentOffer,
  { accountIds, scopes: ticked }: Ticks,
): ConsentDecision | Objection {
  const offered = offer.scopes.map(({ id }) => id);
  const missing = offer.scopes.some(({ id, isOptional }) => !isOptional && !ticked.includes(id));
  if (missing || !ticked.every((id) => offered.includes(id))) {
    const error = 'The requested permissions have changed. Review them again.';
    return { error, about: 'scopes' };
  }
  const scopes = offered.filter((id) => ticked.includes(id));
  const declinedScopes = offered.filter((id) => !ticked.includes(id));
  // An account says nothing without a permission in it.
  if (!scopes.some(isAccountScope)) return { accountIds: [], scopes, declinedScopes };
  const usable = usableAccounts(offer).map(({ id }) => id);
  if (!accountIds.every((id) => usable.includes(id))) {
    const error = 'One of the selected accounts is no longer available. Review your selection.';
    return { error, about: 'accounts' };
  }
  const picked = usable.filter((id) => accountIds.includes(id));
  if (picked.length > 0) return { accountIds: picked, scopes, declinedScopes };
  const error =
    usable.length > 0
      ? 'Select at least one account.'
      : 'None of your accounts has the requested permissions.';
  return { error, about: 'accounts' };
}

/**
 * Adds what the person has decided before for the same accounts, as far as it was not asked again:
 * to ask for one thing more takes nothing away.
 * @param asked what was asked now
 */
export function keepEarlierScopes(
  asked: readonly string[],
  decided: ConsentDecision,
  earlier: Pick<Grant, 'scopes' | 'declinedScopes'>,
): ConsentDecision {
  const notAsked = (ids: readonly string[]): string[] => ids.filter((id) => !asked.includes(id));
  return {
    accountIds: decided.accountIds,
    scopes: [...decided.scopes, ...notAsked(earlier.scopes)],
    declinedScopes: [...decided.declinedScopes, ...notAsked(earlier.declinedScopes)],
  };
}
