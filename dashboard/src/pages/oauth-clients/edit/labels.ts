/** Texts of the pages in this folder. */
export const labels = {
  effectsOfSaving: 'Effects of saving',
  theVerificationOfTheClient: 'The verification of the client URL ends.',
  getsANewTxtRecord: (host: string) =>
    `${host} gets a new TXT record, and you have two days to publish it.`,
  theClientUrlIsUnverified: (proof: string) =>
    `The client URL is unverified until you verify it again. ${proof}`,
  theClientStaysVerified:
    'The client stays verified. The consent page states that its name and logo are not verified.',
  usersMustConsentAgainBefore: (names: string) =>
    `Users must consent again before the first redirect to ${names}. The consent page states when a URI is not part of the verified host.`,
  signInsThatRedirect: (value: string) =>
    `Sign-ins that redirect to ${value} are rejected immediately.`,
  theApplicationLosesImmediately: (value: string) =>
    `The application loses ${value} immediately for all users.`,
  issuedRefreshTokensStopWorking: 'Issued refresh tokens stop working.',
  theHostStaysYouCan: (host: string) => `The host stays ${host}. You can change the path.`,
  isVerifiedAChangedUrl: (host: string) =>
    `${host} is verified. A changed URL, even with the same host, must be verified again.`,
  isNotVerifiedAChanged: (host: string) =>
    `${host} is not verified. A changed URL gets a new TXT record.`,
};
