import { isMailAddress } from '../../lib/mail-address.ts';
import { MAX_PERSONAL_NAME_LENGTH, NAME_PATTERN } from '../names.ts';
import { foldEmail } from '../users/user-store.ts';

/** Claims of an ID token or of a userinfo response, unchecked. */
export type Claims = Readonly<Record<string, unknown>>;

/** What an OpenID provider says about a user. */
export interface ExternalProfile {
  email: string | undefined;
  /** Undefined if the address counts as the user's; otherwise why it does not, for the log. */
  emailFault: string | undefined;
  /** True if `OIDC_TRUST_EMAIL` would make the address count. */
  isTrustMissing: boolean;
  firstName: string | undefined;
  lastName: string | undefined;
}

/** Returns true if an ID token lacks a claim that userinfo may contain (OpenID Connect Core section 5.4). */
export function lacksClaims(idToken: Claims): boolean {
  const names = [idToken.name, idToken.given_name, idToken.family_name];
  return (
    idToken.email === undefined ||
    idToken.email_verified === undefined ||
    names.every((name) => name === undefined)
  );
}

/**
 * Reads the claims about a user, as providers send them: the address in the ID token, in userinfo or, from Microsoft
 * Entra, only as the user name; `email_verified` as JSON or as text, in one of the two, or nowhere.
 * @param trustsEmail the address counts without `email_verified`, but never against it
 */
export function readProfile(
  idToken: Claims,
  userInfo: Claims,
  trustsEmail: boolean,
): ExternalProfile {
  const names = readNames({ ...userInfo, ...withoutUndefined(idToken) });
  const { email, verified } = readEmail(idToken, userInfo);
  const address = email ?? (trustsEmail ? readUserName(idToken, userInfo) : undefined);
  const isVerified = verified === true || verified === 'true';
  const isAbsent = verified === undefined || verified === null;
  if (address === undefined) {
    const emailFault = 'it sent no email address';
    return { email: undefined, emailFault, isTrustMissing: !trustsEmail, ...names };
  }
  if (isVerified || (isAbsent && trustsEmail)) {
    return { email: address, emailFault: undefined, isTrustMissing: false, ...names };
  }
  const emailFault = isAbsent
    ? 'it does not state that the email address is verified'
    : 'it states that the email address is not verified';
  return { email: address, emailFault, isTrustMissing: isAbsent, ...names };
}

/** Userinfo decides about an address of the ID token only if it names the same address, or none. */
function readEmail(
  idToken: Claims,
  userInfo: Claims,
): { email: string | undefined; verified: unknown } {
  const own = readText(idToken.email);
  const told = readText(userInfo.email);
  if (own === undefined) {
    return { email: told, verified: userInfo.email_verified ?? idToken.email_verified };
  }
  const isSame = told === undefined || foldEmail(told) === foldEmail(own);
  const other = isSame ? userInfo.email_verified : undefined;
  return { email: own, verified: idToken.email_verified ?? other };
}

function readUserName(idToken: Claims, userInfo: Claims): string | undefined {
  return [idToken.preferred_username, idToken.upn, userInfo.preferred_username]
    .map(readText)
    .find((name) => name !== undefined && isMailAddress(name));
}

/** Both names, or a whole name split at its first space. */
function readNames(claims: Claims): Pick<ExternalProfile, 'firstName' | 'lastName'> {
  const firstName = readName(claims.given_name);
  const lastName = readName(claims.family_name);
  if (firstName !== undefined || lastName !== undefined) return { firstName, lastName };
  const whole = readText(claims.name)?.trim() ?? '';
  // Some providers repeat the address there.
  if (isMailAddress(whole)) return { firstName: undefined, lastName: undefined };
  const [first = '', ...rest] = whole.split(/\s+/u);
  return { firstName: readName(first), lastName: readName(rest.join(' ')) };
}

const NAME = new RegExp(NAME_PATTERN, 'u');

function readName(value: unknown): string | undefined {
  const name = readText(value)?.trim();
  if (name === undefined || name.length > MAX_PERSONAL_NAME_LENGTH) return undefined;
  return NAME.test(name) ? name : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function withoutUndefined(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}
