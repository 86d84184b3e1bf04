import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import type { SessionPrincipal } from '../principal.ts';
import { type Admission, admitAttempt, forgiveAttempt } from '../sessions/sign-in-limits.ts';
import { hasSecondFactor } from './second-factors.ts';
import { type SecondFactorCode, useCode } from './verify-second-factor.ts';

/** A code to be used up by the change that it is shown for. */
export interface OwnCode {
  code: SecondFactorCode;
  admission: Admission;
}

/**
 * Counts the attempt of the person behind a session to show a code of the second factor. A passkey
 * cannot be shown here: whoever has nothing else signs in with it again.
 * @returns undefined when the person has no second factor
 * @throws ApiError 3070 when there is no code, 3041 after too many attempts
 */
export async function admitOwnCode(
  services: IamServices,
  { user: { id: userId, email }, session }: SessionPrincipal,
  code: SecondFactorCode | undefined,
  request: RequestFacts,
): Promise<OwnCode | undefined> {
  if (!(await hasSecondFactor(services.database.read, userId))) return undefined;
  if (code === undefined) throw apiError(iamErrors.codeNeeded);
  const attempt = { kind: 'second_factor' as const, email, userId, request };
  return { code, admission: await admitAttempt(services, { ...attempt, sessionId: session.id }) };
}

/** Uses a code up. @throws ApiError 3070 when it is wrong, or was used before */
export async function useOwnCode(
  tx: Transaction,
  services: IamServices,
  userId: string,
  { code, admission }: OwnCode,
): Promise<void> {
  if (!(await useCode(tx, services, userId, code))) throw apiError(iamErrors.codeNeeded);
  await forgiveAttempt(tx, admission);
}
