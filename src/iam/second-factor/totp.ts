import { timingSafeEqual } from 'node:crypto';
import { HOTP, Secret, TOTP } from 'otpauth';

// RFC 4226 section 4, R6: as long as what SHA-1 gives.
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const DIGITS = 6;
// What authenticator apps assume when they are not told, and some whatever they are told.
const ALGORITHM = 'SHA1';
// RFC 6238 section 5.2: a clock that is a little off, and the time it takes to type.
const ALLOWED_STEPS_OFF = 1;
// Ten minutes: no clock that is merely corrected was ahead by so much, and no used code serves again for less.
const MOST_STEPS_AHEAD = 20;

/** What an authenticator app shows: six digits. */
export const TOTP_CODE_PATTERN = '^[0-9]{6}$';

const TOTP_CODE = new RegExp(TOTP_CODE_PATTERN);

/** A new secret of 160 random bits, in base32 as people may have to type it. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address behind the QR code that authenticator apps read. */
export function provisioningUri(secret: string, brand: string, email: string): string {
  return new TOTP({
    issuer: brand,
    label: email,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: STEP_SECONDS,
    secret,
  }).toString();
}

/**
 * The time step to which a code belongs (RFC 6238): now, the one before, or the one after. Codes of
 * the same secret are compared in the same time whatever they are.
 * @param afterStep the latest step whose code was used: neither it nor one before counts
 * @returns undefined for a wrong code, a used one, and one of another time
 */
export function findTotpStep(
  secret: string,
  code: string,
  nowMs: number,
  afterStep: number,
): number | undefined {
  if (!TOTP_CODE.test(code)) return undefined;
  const key = Secret.fromBase32(secret);
  const presented = Buffer.from(code);
  const nowStep = TOTP.counter({ period: STEP_SECONDS, timestamp: nowMs });
  const lastStep = nowStep + ALLOWED_STEPS_OFF;
  // Used while the clock was ahead by a lot: no code would do until that time comes.
  const usedStep = afterStep > lastStep + MOST_STEPS_AHEAD ? -1 : afterStep;
  let found: number | undefined;
  for (let step = nowStep - ALLOWED_STEPS_OFF; step <= lastStep; step++) {
    const expected = HOTP.generate({
      secret: key,
      algorithm: ALGORITHM,
      digits: DIGITS,
      counter: step,
    });
    const isRight = timingSafeEqual(Buffer.from(expected), presented);
    if (isRight && step > usedStep) found ??= step;
  }
  return found;
}
