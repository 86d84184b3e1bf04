/** Texts of the pages in this folder. */
export const labels = {
  settings: 'Settings',
  readOnlyAction: 'change the settings',
  nameAndContact: 'Name and contact',
  name: 'Name',
  atMost100Characters: 'At most 100 characters.',
  abuseContact: 'Abuse contact',
  none: 'None',
  forPrograms: 'For programs',
  identifiersThatApiRequestsNeed: 'Identifiers that API requests need.',
  accountId: 'Account ID',
  copyAccountId: 'Copy account ID',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Copy base URL',
  created: 'Created',
  deleteThisAccount: 'Delete this account',
  deletesTheAccount:
    "Deletes the account and its members, API tokens, OAuth clients, gateways and tags. This can't be undone.",
  deleteAccount: 'Delete account',
  youCantDeleteTheLast:
    "You can't delete the last account of a server. Create another account first.",
  requiresTheRoleSuperAdministrator: 'Requires the role Super Administrator.',
  delete: (name: string) => `Delete ${name}?`,
  allApiTokensAndApplications:
    "All API tokens and applications of this account stop working immediately. Members lose their access, but keep their sign-in. This can't be undone.",
  deleted: (name: string) => `Deleted ${name}`,
  settingsSaved: 'Settings saved',
  save: 'Save',
  enterAName: 'Enter a name',
  emailAddressForAbuseReports: 'Email address for abuse reports about this account.',
  required: 'Required',
  notRequired: 'Not required',
  anAuthenticatorApp:
    'An authenticator app or a passkey in addition to the password. A stolen password alone then gives no access.',
  stopRequiring: 'Stop requiring',
  requireForAllMembers: 'Require for all members',
  stopRequiringASecondFactor: 'Stop requiring a second factor?',
  requireASecondFactor: 'Require a second factor?',
  require: 'Require',
  membersCanSign: 'Members can sign in with only a password. Existing second factors are kept.',
  secondFactorIsNowRequired: 'Second factor is now required',
  secondFactorIsNowOptional: 'Second factor is now optional',
  membersWithoutASecondFactor:
    'Members without a second factor have no access to an account that requires it.',
  theOnlyMember: 'The only member has a second factor.',
  allMembersHaveASecond: (all: number) => `All ${all} members have a second factor.`,
  missing: (missing: number, all: number, isRequired: boolean) =>
    `${missing} of ${all} ${all === 1 ? 'member has' : 'members have'} no second factor${isRequired ? ' and no access until it is set up' : ''}.`,
  showMembers: 'Show members',
  membersWithoutASecondFactorAnd:
    'Members without a second factor, and their API tokens, lose access to this account until they set one up. API tokens of the account keep working.',
  otherWillLoseAccessImmediately: (others: number, value: string) =>
    `${others} other ${value} will lose access immediately.`,
  allMembersHaveASecondFactor: 'All members have a second factor and keep their access.',
  youWillLoseAccessYourself: 'You will lose access yourself',
  setUpASecondFactor: 'Set up a second factor',
};
