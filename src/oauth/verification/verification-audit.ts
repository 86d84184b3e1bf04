import { type AuditEntry, SYSTEM_ACTOR } from '../../iam/audit/audit-entry.ts';
import { MISSES_TO_WARN, type VerificationEvent } from './judge-look-up.ts';
import type { DueVerification } from './verification-store.ts';

const ACTIONS: Readonly<
  Record<VerificationEvent, { type: string; result: 'success' | 'failure'; words: string }>
> = {
  verified: { type: 'verify', result: 'success', words: 'was verified' },
  failed: { type: 'verify', result: 'failure', words: 'was not verified in time' },
  missing: {
    type: 'recheck',
    result: 'failure',
    words: `was without its TXT record in ${MISSES_TO_WARN} daily look-ups that DNS answered; it stays verified`,
  },
  found_again: { type: 'recheck', result: 'success', words: 'has its TXT record again' },
};

/** The row of the audit log that tells what became of a verification, which nobody asked for. */
export function verificationEntry(
  { accountId, clientId, verification }: DueVerification,
  event: VerificationEvent,
): AuditEntry {
  const { type, result, words } = ACTIONS[event];
  return {
    chain: { accountId },
    action: { type, result, description: `The host ${verification.host} ${words}` },
    actor: SYSTEM_ACTOR,
    resource: { type: 'oauth_client', id: clientId, product: 'oauth_clients' },
  };
}
