import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/clock.ts';
import { MISSES_TO_WARN } from './judge-look-up.ts';
import { findUnverifiableReason } from './unverifiable-host.ts';
import type { Verification } from './verification.ts';

export const VerificationSchema = Type.Object(
  {
    status: Type.Enum(['pending', 'in_progress', 'verified', 'failed'], {
      description: '`pending` before the first look-up, `in_progress` while there are more to come',
    }),
    text: Type.String({ description: 'What a TXT record of the host must hold, all of it' }),
    host: Type.String({ description: 'The name that needs the record' }),
    expires_at: Type.Optional(
      Type.String({ description: 'When the verification fails; only until it is complete' }),
    ),
    last_checked_at: Type.Union([Type.String(), Type.Null()]),
    verified_at: Type.Optional(Type.String()),
    problem: Type.Optional(
      Type.String({ description: 'What kept the last look-up from finding the record, in words' }),
    ),
    warning: Type.Optional(
      Type.String({
        description: `There when a verified host was without its record in ${MISSES_TO_WARN} daily look-ups in a row, those without an answer left out`,
      }),
    ),
  },
  { description: 'Whether the host of client_uri is the owner’s; there when client_uri is' },
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
      return `none of the TXT records of ${host} holds the text, from the first character to the last`;
    case 'no_answer':
      return `DNS gave no answer about ${host}`;
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
