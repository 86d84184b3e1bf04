import { Type } from 'typebox';
import type { AuditedChange } from '../changes.ts';
import { MAX_RECOVERY_CODE_LENGTH } from './recovery-codes.ts';
import { TOTP_CODE_PATTERN } from './totp.ts';

export const TotpCode = Type.String({
  maxLength: 6,
  pattern: TOTP_CODE_PATTERN,
  description: 'Current six-digit code of the authenticator app',
});

export const RecoveryCode = Type.String({
  minLength: 1,
  maxLength: MAX_RECOVERY_CODE_LENGTH,
  description: 'Dashes, spaces and case are ignored',
});

export const RecoveryCodesSchema = Type.Object({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each code replaces the second factor once. Shown only once.',
  }),
});

/** A change of an authenticator app or of recovery codes, for the audit log of its owner. */
export function factorChange(
  userId: string,
  resourceType: 'totp_factor' | 'recovery_codes',
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: { userId },
    type,
    description,
    resource: { type: resourceType, id: userId, product: 'two_factor' },
    // Requests and results contain codes and secrets.
    shows: {},
  };
}
