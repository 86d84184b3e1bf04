import { findUnverifiableReason } from './unverifiable-host.ts';
import {
  type Verification,
  type VerificationRules,
  beginVerification,
  restartVerification,
  verifiedHostOf,
} from './verification.ts';

/** A client before a change, as far as its verification is concerned. */
interface VerifiedClient {
  visibility: 'private' | 'public';
  clientUri: string | undefined;
  verification: Verification | undefined;
}

/** The `client_uri` of a client after a change. */
interface ClientUriChange {
  clientUri: string | undefined;
  /** Whether the change named it, be it the same as before. */
  isSent: boolean;
}

/**
 * The verification of a client after a change without faults; the very same object when the change
 * leaves it alone.
 *
 * Another address makes a fresh code, even on the same host: its owner says anew what the client is.
 * A public client keeps its verification, because its host is frozen and users rely on it. The
 * same address sent again begins anew with the same code, unless it has only just begun; when it is
 * verified already, only a record that was missing lately is looked up again at once.
 */
export function changeVerification(
  stored: VerifiedClient,
  { clientUri, isSent }: ClientUriChange,
  rules: VerificationRules,
  nowMs: number,
): Verification | undefined {
  const { verification } = stored;
  if (clientUri === undefined) return undefined;
  if (!isSent) return verification;
  if (verification === undefined) return beginVerification(clientUri, rules, nowMs);
  if (clientUri !== stored.clientUri) {
    const isKept =
      stored.visibility === 'public' && verifiedHostOf(clientUri) === verification.host;
    return isKept ? verification : beginVerification(clientUri, rules, nowMs);
  }
  if (verification.status === 'verified') {
    return verification.misses === 0 ? verification : { ...verification, nextCheckAtMs: nowMs };
  }
  if (verification.status === 'pending') return verification;
  // A host that nobody can verify gains nothing from another beginning.
  if (findUnverifiableReason(verification.host) !== undefined) return verification;
  return restartVerification(verification, rules.timeoutMs, nowMs);
}
