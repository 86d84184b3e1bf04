import { apiError } from '../../http/errors.ts';
import type { RequestFacts } from '../../http/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import { actorOf, appendAudit } from '../audit/audit-entry.ts';
import type { ChangeTools } from '../changes.ts';
import { unauthenticated } from '../credentials.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';
import { ANONYMOUS } from '../principal.ts';
import { lockCounter, writeCounter } from '../sessions/attempt-counters.ts';
import { completeSession } from '../sessions/complete-sign-in.ts';
import { endSession } from '../sessions/end-sessions.ts';
import { findPendingSession } from '../sessions/session-store.ts';
import { type Admission, admitAttempt, forgiveAttempt } from '../sessions/sign-in-limits.ts';
import { type Submission, findResult, keepResult } from '../short-lived-state.ts';
import { findUser, lockUser } from '../users/user-store.ts';
import { useRecoveryCode } from './recovery-codes.ts';
import { findTotpStep } from './totp.ts';
import { findTotpFactor, useTotpStep } from './totp-store.ts';

/** As it was typed. */
export type SecondFactorCode = { totp: string } | { recovery: string };

/** A code that somebody shows to complete a sign-in. */
export interface SecondFactorProof {
  /** Of the incomplete session, as its cookie has it. */
  secret: string;
  code: SecondFactorCode;
  request: RequestFacts;
  /** Of a form, whose repetition gets the same session. */
  submission?: Submission;
}

/** A session that was completed. */
export interface CompletedSession {
  userId: string;
  secret: string;
  /** Values of `set-cookie`. */
  cookies: string[];
}

// Then the first factor has to be shown again: whoever guesses must keep guessing that one too.
const MAX_WRONG_CODES = 5;

/**
 * Completes a sign-in by a code. The code is used up; a wrong one counts against the limits of
 * sign-in, and the fifth on one session ends it.
 * @throws ApiError 401 when the session is unknown, complete or over, 3064 for a wrong or used code,
 *   3041 after too many
 */
export async function verifySecondFactor(
  services: IamServices,
  { secret, code, request, submission }: SecondFactorProof,
): Promise<CompletedSession> {
  const { database, clock, changes } = services;
  const pending = await findPendingSession(database.read, secret, clock.now());
  const user = pending && (await findUser(database.read, pending.userId));
  if (pending === undefined || user === undefined || user.lockedAtMs !== undefined) {
    throw unauthenticated();
  }
  const { id: userId, email } = user;
  const attempt = { kind: 'second_factor' as const, email, userId, request };
  const admission = await admitAttempt(services, attempt);
  const completed = await changes.make({ principal: ANONYMOUS, request }, async (tools) => {
    await lockUser(tools.tx, userId);
    const isRight = await useCode(tools.tx, services, userId, code);
    if (isRight) {
      const session = await complete(tools, services, secret, code, request, admission);
      const result = { userId, ...session };
      if (submission !== undefined) {
        await keepResult(tools.tx, submission, userId, result, clock.now());
      }
      return { result };
    }
    tools.unchanged();
    // The same form has used the code up.
    const earlier = submission && (await findResult(tools.tx, submission, clock.now()));
    if (earlier === undefined) return { result: null };
    await forgiveAttempt(tools.tx, admission);
    return { result: earlier as CompletedSession };
  });
  if (completed.result === null) {
    await noteWrongCode(services, userId, pending.id, request);
    throw apiError(iamErrors.wrongSecondFactor);
  }
  return completed.result;
}

async function complete(
  tools: ChangeTools,
  services: IamServices,
  secret: string,
  code: SecondFactorCode,
  request: RequestFacts,
  admission: Admission,
): Promise<{ secret: string; cookies: string[] }> {
  await forgiveAttempt(tools.tx, admission);
  const method = 'totp' in code ? 'totp' : 'recovery_code';
  return completeSession(tools, services, secret, method, request);
}

// Apps show a code in two groups, and input methods write full-width digits.
const SEPARATORS = /[\s\p{Pd}]/gu;

/** Uses a code up; false when it is wrong, was used, or belongs to a factor that is gone. */
export async function useCode(
  tx: Transaction,
  { clock, masterKey }: Pick<IamServices, 'clock' | 'masterKey'>,
  userId: string,
  code: SecondFactorCode,
): Promise<boolean> {
  if ('recovery' in code) return useRecoveryCode(tx, userId, code.recovery);
  const factor = await findTotpFactor(tx, userId);
  if (factor?.confirmedAtMs === undefined) return false;
  const secret = masterKey.sealer('totp').open(factor.sealedSecret, userId);
  const digits = code.totp.normalize('NFKC').replaceAll(SEPARATORS, '');
  const step = findTotpStep(secret, digits, clock.now(), factor.lastStep);
  return step !== undefined && useTotpStep(tx, factor, step);
}

/** Counts a wrong code on a session, tells its person of it, and ends the session when it was one too many. */
async function noteWrongCode(
  { database, clock }: Pick<IamServices, 'database' | 'clock'>,
  userId: string,
  sessionId: string,
  request: RequestFacts,
): Promise<void> {
  const nowMs = clock.now();
  await database.transaction(async (tx, announce) => {
    const counter = await lockCounter(tx, `second_factor session ${sessionId}`);
    const failures = counter.failures + 1;
    await writeCounter(tx, { ...counter, failures, last_failed_at: nowMs });
    if (failures >= MAX_WRONG_CODES) await endSession({ tx, announce }, userId, sessionId);
    const entry = {
      chain: { userId },
      action: { type: 'sign_in', result: 'failure' as const, description: 'Entered a wrong code' },
      // Somebody who has shown the first factor of this person.
      actor: actorOf(ANONYMOUS, request),
      resource: { type: 'session', id: sessionId, product: 'sessions' },
      raw: { request, statusCode: iamErrors.wrongSecondFactor.status },
    };
    await appendAudit(tx, entry, nowMs);
  });
}
