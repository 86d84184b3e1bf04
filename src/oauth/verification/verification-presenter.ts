import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { MISSES_TO_WARN } from './judge-look-up.ts';
import { findUnverifiableReason } from './unverifiable-host.ts';
import type { Verification } from './verification.ts';

export const VerificationSchema = Type.Object(
  {
    status: Type.Enum(['pending', 'in_progress', 'verified', 'failed'], {
      description: '`pending` before the first lookup, `in_progress` before further lookups',
    }),
    text: Type.String({ description: 'The exact text that a TXT record of the host must contain' }),
    host: Type.String({ description: 'The host name of the TXT record' }),
    expires_at: Type.Optional(
      Type.String({
        description: 'Time at which the verification fails; absent when it is complete',
      }),
    ),
    last_checked_at: Type.Union([Type.String(), Type.Null()]),
    verified_at: Type.Optional(Type.String()),
    problem: Type.Optional(
      Type.String({ description: 'Reason why the last lookup did not find the record' }),
    ),
    warning: Type.Optional(
      Type.String({
        description: `Present if ${MISSES_TO_WARN} consecutive daily lookups of a verified host did not find the record. Lookups without a response do not count`,
      }),
    ),
  },
  {
    description:
      'Verification that the owner of the client controls the host of client_uri; present if client_uri is set',
  },
);

/** A verification as the API shows it. */
export function presentVerification(verification: Verification): Static<typeof VerificationSchema> {
  const { status, text, host, lastCheckedAtMs, verifiedAtMs, misses } = verification;
  const isRunning = status === 'pending' || status === 'in_progress';
  const problem = describeProblem(verification);
  return {
    status,
    text,
    host,
    ...(isRunning ? { expires_at: formatTime(verification.deadlineAtMs) } : {}),
    last_checked_at: lastCheckedAtMs === undefined ? null : formatTime(lastCheckedAtMs),
    ...(verifiedAtMs === undefined ? {} : { verified_at: formatTime(verifiedAtMs) }),
    ...(problem === undefined ? {} : { problem }),
    ...(misses < MISSES_TO_WARN ? {} : { warning: warning(host, misses) }),
  };
}

function describeProblem({ host, lastResult }: Verification): string | undefined {
  switch (lastResult) {
    case 'no_record':
      return `${host} has no TXT record`;
    case 'other_records':
      return `${host} has TXT records, but none of them is equal to the text`;
    case 'no_answer':
      return `the DNS lookup of ${host} failed`;
    case 'found':
      return undefined;
    case undefined: {
      const reason = findUnverifiableReason(host);
      return reason === undefined ? undefined : `${host} ${reason}`;
    }
  }
}

function warning(host: string, misses: number): string {
  return `The TXT record of ${host} was missing in the last ${misses} daily look-ups that DNS answered. The host stays verified: put the record back`;
}
