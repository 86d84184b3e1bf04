import { randomBytes } from 'node:crypto';
import type { RequestFacts } from '../../http/route.ts';
import type { IamServices } from '../iam-services.ts';
import { LOST_WAY_PATH } from './lost-way-page.ts';
import { safeReturnTo } from './return-to.ts';
import {
  type TransactionKind,
  findTransaction,
  keepTransaction,
  removeTransaction,
} from './transaction-cookies.ts';

type Services = Pick<IamServices, 'clock' | 'cookies' | 'masterKey'>;

// As long as the link in the mail works.
const LIFETIME_MS = 3_600_000;
// Browsers drop a cookie of more than 4,096 bytes (RFC 6265 section 6.1); sealed, this is 3,900.
const MAX_LENGTH = 2_800;
const ID_BYTES = 9;

/**
 * Has the browser remember where to go after a mailed link. The mail names only the id: a stranger who asks for a mail
 * to another user must not choose where that user ends up.
 * @returns the id, undefined if there is nothing to remember, and values of `set-cookie`
 */
export function rememberReturnTo(
  services: Services,
  request: RequestFacts,
  returnTo: string,
): { id: string | undefined; cookies: string[] } {
  if (returnTo === '/') return { id: undefined, cookies: [] };
  const id = randomBytes(ID_BYTES).toString('base64url');
  const kept = returnTo.length > MAX_LENGTH ? LOST_WAY_PATH : returnTo;
  return { id, cookies: keepTransaction(services, request, kindOf(services), id, kept) };
}

/** Returns the path that this browser remembers under an id; `/` if there is none. */
export function recallReturnTo(
  services: Services,
  request: RequestFacts,
  id: string | null,
): string {
  const kept = findTransaction(services, request, kindOf(services), id);
  return safeReturnTo(typeof kept === 'string' ? kept : null);
}

/** Removes a remembered path from the browser, as values of `set-cookie`. */
export function forgetReturnTo(services: Services, id: string | null): string[] {
  return id === null || id === '' ? [] : [removeTransaction(kindOf(services), id)];
}

function kindOf({ cookies }: Services): TransactionKind {
  return { cookieName: cookies.returnTo, purpose: 'return_to', lifetimeMs: LIFETIME_MS };
}
