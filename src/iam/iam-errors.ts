import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** The errors of accounts, people and tokens: 3001–3099. */
export const iamErrors = defineErrors({
  invalidField: { status: 400, code: 3001, message: 'Invalid field' },
  unknownField: { status: 400, code: 3002, message: 'Unknown field' },
  unknownPermissionGroup: { status: 400, code: 3010, message: 'Unknown permission group' },
  invalidResource: { status: 400, code: 3011, message: 'Invalid policy resource' },
  exceedsCreator: {
    status: 403,
    code: 3012,
    message: 'A token cannot hold more than its creator holds',
  },
  invalidTimes: { status: 400, code: 3013, message: 'Invalid validity period' },
  tooManyTokens: {
    status: 400,
    code: 3014,
    message: 'The owner has as many API tokens as it may have',
  },
  wrongSignIn: { status: 401, code: 3040, message: 'Wrong e-mail address or password' },
  tooManyAttempts: { status: 429, code: 3041, message: 'Too many attempts' },
  wrongPassword: { status: 403, code: 3042, message: 'The password is wrong' },
  unsuitablePassword: { status: 400, code: 3043, message: 'The password is not suitable' },
  invalidResetLink: {
    status: 400,
    code: 3044,
    message: 'The link to choose a password is unknown, used or expired',
  },
  staleAuthentication: { status: 403, code: 3045, message: 'Sign in again to do this' },
  noPassword: {
    status: 400,
    code: 3046,
    message: 'There is no password yet: ask for a link to choose one',
  },
  tooManyAccounts: {
    status: 400,
    code: 3020,
    message: 'You are Super Administrator of as many accounts as a person may have',
  },
  onlyAccount: {
    status: 400,
    code: 3021,
    message: 'The only account of an installation cannot be deleted',
  },
  needsSuperAdministrator: {
    status: 403,
    code: 3022,
    message: 'Only a Super Administrator of the account may do this',
  },
  lastSuperAdministrator: {
    status: 400,
    code: 3023,
    message: 'An account must keep a Super Administrator who has accepted',
  },
  exceedsGranter: {
    status: 403,
    code: 3024,
    message: 'A role can be given only by who holds all that it grants',
  },
  unknownRole: { status: 400, code: 3025, message: 'Unknown role' },
  alreadyMember: { status: 400, code: 3026, message: 'This address is that of a member already' },
  tooManyMembers: {
    status: 400,
    code: 3027,
    message: 'The account has as many members as it may have',
  },
  tooManyInvitations: {
    status: 400,
    code: 3028,
    message: 'The account has as many pending invitations as it may have',
  },
  needsInvitation: {
    status: 400,
    code: 3029,
    message:
      'Only a verified member of another account in which you manage members can be added without ' +
      'an invitation, and not as Super Administrator',
  },
  policiesNotSupported: {
    status: 400,
    code: 3030,
    message: 'Members are given roles; policies of their own are not supported',
  },
  alreadyAccepted: { status: 400, code: 3031, message: 'This membership was accepted already' },
  invitedTooOften: {
    status: 429,
    code: 3034,
    message: 'Too many invitations were mailed to this address or from this account lately',
  },
  tooManyMemberships: {
    status: 400,
    code: 3035,
    message: 'The person is a member of as many accounts as a person may be',
  },
  invitationExpired: {
    status: 400,
    code: 3032,
    message: 'This invitation has expired; ask for a new one',
  },
  emailNotVerified: {
    status: 403,
    code: 3033,
    message: 'Your e-mail address is not verified: accept by the link of the invitation instead',
  },
  totpEnabled: {
    status: 400,
    code: 3060,
    message: 'An authenticator app is set up already; remove it first',
  },
  noTotpEnrolment: {
    status: 400,
    code: 3061,
    message: 'No authenticator app is being set up, or it took too long: begin again',
  },
  wrongTotpCode: {
    status: 400,
    code: 3062,
    message: 'This is not the code that the authenticator app shows now',
  },
  noSecondFactor: {
    status: 400,
    code: 3063,
    message: 'Recovery codes replace a second factor, and none is set up',
  },
  wrongSecondFactor: {
    status: 401,
    code: 3064,
    message: 'This code is wrong, or was used before',
  },
  tooManyPasskeys: {
    status: 400,
    code: 3065,
    message: 'You have as many passkeys as a person may have',
  },
  passkeyStateExpired: {
    status: 400,
    code: 3066,
    message: 'This state was used before, is too old, or is not yours: ask for options again',
  },
  passkeyUnacceptable: {
    status: 400,
    code: 3067,
    message: 'This passkey cannot be registered',
  },
  passkeyRegistered: { status: 400, code: 3068, message: 'This passkey is registered already' },
  passkeyRefused: { status: 401, code: 3069, message: 'This passkey was not accepted' },
  codeNeeded: {
    status: 403,
    code: 3070,
    message:
      'Show a code of your second factor too, one that was not used before; or sign in again',
  },
});

/** What the operations that define a token refuse with. */
export const tokenErrors = [
  iamErrors.unknownPermissionGroup,
  iamErrors.invalidResource,
  iamErrors.exceedsCreator,
  iamErrors.invalidTimes,
  iamErrors.tooManyTokens,
];

/** What the operations that give or take roles refuse with. */
export const roleErrors = [
  iamErrors.needsSuperAdministrator,
  iamErrors.lastSuperAdministrator,
  iamErrors.exceedsGranter,
];

export const iamBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: iamErrors.invalidField,
  unknown: iamErrors.unknownField,
};
