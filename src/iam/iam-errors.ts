import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/**
 * The errors of accounts, people and tokens: 3001–3099. Public tools recognize tokens of accounts by the codes 1000 and
 * 9109.
 */
export const iamErrors = defineErrors({
  invalidField: { status: 400, code: 3001, message: 'Invalid field' },
  unknownField: { status: 400, code: 3002, message: 'Unknown field' },
  invalidApiToken: { status: 401, code: 1000, message: 'Invalid API Token' },
  notAUser: { status: 403, code: 9109, message: 'Forbidden: requires a credential of a user' },
  unknownPermissionGroup: { status: 400, code: 3010, message: 'Unknown permission group' },
  invalidResource: { status: 400, code: 3011, message: 'Invalid policy resource' },
  exceedsCreator: {
    status: 403,
    code: 3012,
    message: 'A token cannot have more permissions than its creator',
  },
  invalidTimes: { status: 400, code: 3013, message: 'Invalid validity period' },
  tooManyTokens: {
    status: 400,
    code: 3014,
    message: 'The owner has reached the maximum number of API tokens',
  },
  wrongSignIn: { status: 401, code: 3040, message: 'Wrong email address or password' },
  tooManyAttempts: { status: 429, code: 3041, message: 'Too many attempts' },
  wrongPassword: { status: 403, code: 3042, message: 'The password is wrong' },
  unsuitablePassword: {
    status: 400,
    code: 3043,
    message: 'The password does not meet the requirements',
  },
  invalidResetLink: {
    status: 400,
    code: 3044,
    message: 'The password reset link is invalid, used or expired',
  },
  staleAuthentication: { status: 403, code: 3045, message: 'Sign in again to do this' },
  noPassword: {
    status: 400,
    code: 3046,
    message: 'You have no password yet. Request a password reset link to set one',
  },
  passwordsOff: {
    status: 403,
    code: 3047,
    message: 'Passwords are turned off on this server. Use single sign-on',
  },
  tooManyAccounts: {
    status: 400,
    code: 3020,
    message: 'You have reached the maximum number of accounts as a Super Administrator',
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
    message: 'An account needs at least one Super Administrator who has accepted the invitation',
  },
  exceedsGranter: {
    status: 403,
    code: 3024,
    message: 'You can only assign roles whose permissions you have',
  },
  unknownRole: { status: 400, code: 3025, message: 'Unknown role' },
  alreadyMember: {
    status: 400,
    code: 3026,
    message: 'This email address already belongs to a member',
  },
  tooManyMembers: {
    status: 400,
    code: 3027,
    message: 'The account has reached the maximum number of members',
  },
  tooManyInvitations: {
    status: 400,
    code: 3028,
    message: 'The account has reached the maximum number of pending invitations',
  },
  needsInvitation: {
    status: 400,
    code: 3029,
    message:
      'Without an invitation, you can only add verified members of another account in which you manage members, and not as Super Administrator',
  },
  policiesNotSupported: {
    status: 400,
    code: 3030,
    message: 'Policies for members are not supported. Assign roles instead',
  },
  alreadyAccepted: { status: 400, code: 3031, message: 'This membership is already accepted' },
  invitedTooOften: {
    status: 429,
    code: 3034,
    message: 'Too many invitation emails to this address or from this account. Try again later',
  },
  tooManyMemberships: {
    status: 400,
    code: 3035,
    message: 'The user has reached the maximum number of memberships',
  },
  invitationExpired: {
    status: 400,
    code: 3032,
    message: 'This invitation has expired. Ask for a new one',
  },
  emailNotVerified: {
    status: 403,
    code: 3033,
    message: 'Your email address is not verified. Open the link in the invitation email to accept',
  },
  totpEnabled: {
    status: 400,
    code: 3060,
    message: 'An authenticator app is already set up. Remove it first',
  },
  noTotpEnrolment: {
    status: 400,
    code: 3061,
    message: 'The setup of the authenticator app was not started or has expired. Start again',
  },
  wrongTotpCode: {
    status: 400,
    code: 3062,
    message: 'This is not the current code of your authenticator app',
  },
  noSecondFactor: {
    status: 400,
    code: 3063,
    message: 'Set up a second factor before you create recovery codes',
  },
  wrongSecondFactor: {
    status: 401,
    code: 3064,
    message: 'This code is wrong or already used',
  },
  tooManyPasskeys: {
    status: 400,
    code: 3065,
    message: 'You have reached the maximum number of passkeys',
  },
  passkeyStateExpired: {
    status: 400,
    code: 3066,
    message: 'This state is used, expired or belongs to another session. Request new options',
  },
  passkeyUnacceptable: {
    status: 400,
    code: 3067,
    message: 'This passkey cannot be registered',
  },
  passkeyRegistered: { status: 400, code: 3068, message: 'This passkey is already registered' },
  passkeyRefused: { status: 401, code: 3069, message: 'This passkey was not accepted' },
  codeNeeded: {
    status: 403,
    code: 3070,
    message: 'Also enter an unused code of your second factor, or sign in again',
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
