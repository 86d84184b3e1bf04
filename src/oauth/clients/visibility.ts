import { oauthErrors } from '../oauth-errors.ts';
import { MISSES_TO_WARN } from '../verification/judge-look-up.ts';
import { findUnverifiableReason } from '../verification/unverifiable-host.ts';
import { type Verification, verifiedHostOf } from '../verification/verification.ts';
import type { Report } from './parse-client-input.ts';
import { hasPermissionScope } from './scopes.ts';

/** What makes a client fit to be public. */
interface Publicity {
  scopes: readonly string[];
  logoUri: string | undefined;
  clientUri: string | undefined;
}

/**
 * Reports what a private client lacks to be public (seed section 3.1), all of it, one fault for each
 * thing. The name is never among it: no client is without one.
 * @param after the client as it would be after the change
 * @param stored as it is now
 */
export function reportMissingToBePublic(
  after: Publicity,
  stored: Publicity & { verification: Verification | undefined },
  report: Report,
): void {
  const { notReadyToBePublic } = oauthErrors;
  if (after.logoUri === undefined) report(notReadyToBePublic, '/logo_uri', 'is not set');
  if (after.clientUri === undefined) report(notReadyToBePublic, '/client_uri', 'is not set');
  if (!hasPermissionScope(after.scopes)) {
    report(notReadyToBePublic, '/scopes', 'holds no permission');
  }
  // Another address is another verification, see change-verification.ts.
  const isChanged = after.clientUri !== stored.clientUri;
  const verification = isChanged ? undefined : stored.verification;
  if (verification?.status === 'verified') {
    if (verification.misses < MISSES_TO_WARN) return;
    const { host } = verification;
    const reason = `has a host without its TXT record: put it back to ${host}, and send client_uri once more`;
    report(notReadyToBePublic, '/client_uri', reason);
    return;
  }
  const advice = adviseOn(verification);
  report(notReadyToBePublic, '/client_uri', `has no verified host: ${advice}`);
}

function adviseOn(verification: Verification | undefined): string {
  if (verification === undefined) {
    return 'set it, and then add the TXT record that client_uri_verification names';
  }
  const { host, text, status } = verification;
  const reason = findUnverifiableReason(host);
  if (reason !== undefined) return `${host} ${reason}`;
  const advice = `add the TXT record "${text}" to ${host}`;
  return status === 'failed' ? `${advice}, and send client_uri once more` : advice;
}

/**
 * Reports what a change would take from a public client. Users have consented to what they saw, so it
 * keeps all that it needed to become public, and its host.
 * @param sent which of the fields the change names
 * @param storedClientUri as it is now, with the host that was verified
 */
export function reportFrozen(
  after: Publicity,
  sent: { scopes: boolean; logoUri: boolean; clientUri: boolean },
  storedClientUri: string | undefined,
  report: Report,
): void {
  const { invalidField, frozenHost } = oauthErrors;
  const taken = 'cannot be taken away: the client is public';
  if (sent.logoUri && after.logoUri === undefined) report(invalidField, '/logo_uri', taken);
  if (sent.clientUri && after.clientUri === undefined) report(invalidField, '/client_uri', taken);
  if (sent.scopes && !hasPermissionScope(after.scopes)) {
    report(invalidField, '/scopes', 'must hold a permission: the client is public');
  }
  if (!sent.clientUri || after.clientUri === undefined) return;
  // What is no URL has been reported as such.
  if (!URL.canParse(after.clientUri)) return;
  const host = storedClientUri === undefined ? undefined : verifiedHostOf(storedClientUri);
  if (verifiedHostOf(after.clientUri) === host) return;
  report(frozenHost, '/client_uri', `must keep the host ${host}: the client is public`);
}
