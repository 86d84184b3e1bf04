/** Texts of the pages in this folder. */
export const labels = {
  signIn: 'Sign-in',
  forSignInWithNo: 'For “Sign in with …”. No access to account data.',
  user: 'User',
  theUsersOwnDataThrough: "The user's own data, through the API.",
  account: 'Account',
  inTheAccounts: 'In the accounts that the user selects.',
  developerPlatform: 'Developer platform',
  applicationsOfTheAccount: 'Applications of the account.',
  aiGateway: 'AI gateway',
  modelsGatewaysAndTheirLogs: 'Models, gateways and their logs.',
  other: 'Other',
  searchScopes: 'Search scopes',
  ofSelected: (value: string, length: number, length2: number) =>
    `${value}${length} of ${length2} selected`,
  noScopeMatches: (trim: string) => `No scope matches “${trim}”.`,
  selected: (chosen: number) => `${chosen} selected`,
  theServerNoLonger: 'The server no longer has this scope',
  optionalUsersMayDeclineIt: 'Optional: users may decline it',
  optionalScope: (name: string) => `Optional: users may decline it: ${name}`,
};
