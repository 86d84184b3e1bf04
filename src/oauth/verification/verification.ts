import { createId } from '../../lib/ids.ts';
import { findUnverifiableReason } from './unverifiable-host.ts';

type VerificationStatus = 'pending' | 'in_progress' | 'verified' | 'failed';

/** What a look-up told. `no_answer` says nothing about the records: nobody could be asked. */
export type LookUpResult = 'found' | 'no_record' | 'other_records' | 'no_answer';

/** Whether the host of a client's `client_uri` is known to be its owner's (seed section 3.2). */
export interface Verification {
  /** As browsers read it out of the URL: lower case, punycode. */
  host: string;
  /** What a TXT record of the host must say, all of it. */
  text: string;
  status: VerificationStatus;
  /** When a verification that is not complete has failed. */
  deadlineAtMs: number;
  /** Look-ups in vain since the beginning. */
  attempts: number;
  /** Undefined when no look-up will follow. */
  nextCheckAtMs: number | undefined;
  lastCheckedAtMs: number | undefined;
  lastResult: LookUpResult | undefined;
  verifiedAtMs: number | undefined;
  /** Daily look-ups in a row, after the verification, whose answer was without the record. */
  misses: number;
}

/** What this installation makes of verifications. */
export interface VerificationRules {
  brand: string;
  /** From the beginning to the failure. */
  timeoutMs: number;
}

/** The host whose owner is to be verified. */
export function verifiedHostOf(clientUri: string): string {
  return new URL(clientUri).hostname;
}

/** A verification that begins now, with a code of 128 random bits that nobody has seen yet. */
export function beginVerification(
  clientUri: string,
  { brand, timeoutMs }: VerificationRules,
  nowMs: number,
): Verification {
  const host = verifiedHostOf(clientUri);
  const text = `${brand}_oauth_client_publisher=${createId()}`;
  return restartVerification({ host, text }, timeoutMs, nowMs);
}

/** The same host and code from the beginning. */
export function restartVerification(
  { host, text }: Pick<Verification, 'host' | 'text'>,
  timeoutMs: number,
  nowMs: number,
): Verification {
  const isHopeless = findUnverifiableReason(host) !== undefined;
  return {
    host,
    text,
    status: isHopeless ? 'failed' : 'pending',
    deadlineAtMs: nowMs + timeoutMs,
    attempts: 0,
    nextCheckAtMs: isHopeless ? undefined : nowMs,
    lastCheckedAtMs: undefined,
    lastResult: undefined,
    verifiedAtMs: undefined,
    misses: 0,
  };
}
