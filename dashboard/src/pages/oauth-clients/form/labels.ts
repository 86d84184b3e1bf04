/** Texts of the pages in this folder. */
export const labels = {
  name: 'Name',
  usersSee: 'Users see it when the application asks for consent. At most 255 characters.',
  redirectUris: 'Redirect URIs',
  redirectUri: 'Redirect URI',
  postLogoutRedirectUris: 'Post-logout redirect URIs',
  postLogoutRedirectUri: 'Post-logout redirect URI',
  backchannelLogoutUri: 'Back-channel logout URI',
  theServerPostsALogoutToken:
    'The server posts a logout token to this address when a user signs out. Use https.',
  whereTheApplicationMayRedirect: 'Allowed redirect targets after sign-out. The same rules apply.',
  corsOrigins: 'CORS origins',
  origin: 'Origin',
  onlyForBrowserApplicationsPages:
    'For browser applications. Pages of these origins can read responses of the token endpoint and the API. Enter scheme, host and port.',
  forDevelopmentHttpIsAllowed:
    'For development, http is allowed with localhost, 127.0.0.1 and [::1].',
  logo: 'Logo',
  imageNextToTheName:
    'Image next to the name. The server fetches it and serves a copy. Required for public clients.',
  clientUrl: 'Client URL',
  homePageOfTheApplication:
    'Home page of the application. A DNS record verifies its host, so that users know the owner. Required for public clients.',
  privacyPolicy: 'Privacy policy',
  linkedOnTheConsentPage: 'Linked on the consent page: how the application uses shared data.',
  termsOfService: 'Terms of service',
  linkedOnTheConsentPageThe: 'Linked on the consent page: the terms that users accept.',
  noEveryUser: 'No. Every user of the application could read it. PKCE protects the code instead.',
  webApplicationWithAServer: 'Web application with a server',
  yourServerRendersThePages: 'Your server renders the pages or provides their API.',
  authorizationCodeWithPkce: 'Authorization code with PKCE and a secret',
  yesItStays: 'Yes. It stays on your server and never reaches a browser.',
  recommendedYourServerStoresThem:
    "Recommended. Your server stores them, so users don't sign in again every hour.",
  singlePageApp: 'Single-page app',
  runsEntirelyInTheBrowser: 'Runs entirely in the browser, without its own server.',
  authorizationCodeWithPkceWithout: 'Authorization code with PKCE, without a secret',
  notRecommendedBecauseBrowserStorage:
    'Avoid them, because browser storage is a poor place for them. The application redirects users again instead, and remembered consent needs no interaction.',
  mobileOrDesktopApp: 'Mobile or desktop app',
  installedOnTheUsersDevice: "Installed on the user's device.",
  authorizationCodeWithPkceWithoutA:
    'Authorization code with PKCE, without a secret, in the system browser',
  recommendedStoreThem: 'Recommended. Store them in the system keychain.',
  commandLineTool: 'Command-line tool',
  runsInATerminal: 'Runs in a terminal on a machine with a browser.',
  authorizationCodeWithPkceWithoutASecret:
    'Authorization code with PKCE, without a secret, with a loopback redirect',
  recommendedOtherwiseUsersSign: 'Recommended. Otherwise users sign in again every hour.',
  mcpClientAiAgent: 'MCP client, AI agent or machine',
  actsForAUser: 'Acts for a user in the background.',
  authorizationCodeWithPkceA:
    'Authorization code with PKCE. A user authorizes it once, then it runs without interaction.',
  notIfItRuns:
    'No, if it runs on machines of other people. If it runs on your server, choose a web application with a server.',
  requiredForAccessWithoutInteraction: 'Required for access without interaction.',
  clientCredentials: 'Client credentials',
  noUserIsInvolvedSo:
    "No user is involved, so you don't need an OAuth client. Create an API token.",
  implicit: 'Implicit',
  exposesTokensInUrls: 'Exposes tokens in URLs and browser history. OAuth 2.1 has removed it.',
  deviceCode: 'Device code',
  usersCantSeeWhichApplication:
    "Users can't see which application they authorize. Use an API token in a terminal without a browser.",
  password: 'Password',
  theApplicationWouldSee:
    "The application would see the user's password. Only this server handles passwords.",
  enterAtLeastOneRedirect: 'Enter at least one redirect URI.',
  duplicateEntry: 'Duplicate entry.',
  theMaximumIsEntries: (MAX_LIST_ITEMS: number, count: number) =>
    `The maximum is ${MAX_LIST_ITEMS} entries. This list has ${count}.`,
  allListsTogetherCan: (MAX_LISTS_BYTES: number, sum: number) =>
    `All lists together can have ${MAX_LISTS_BYTES} bytes. They have ${sum}.`,
  clientAuthenticationMethod: 'Client authentication method',
  inTheAuthorizationHeader: 'In the Authorization header',
  inTheRequestBody: 'In the request body',
  refreshTokens: 'Refresh tokens',
  accessWhileTheUser: 'Access while the user is offline',
  anAccessTokenExpiresAfter:
    'An access token expires after an hour. The application can then get a new one, until it is unused for 30 days or the user revokes access. Adds the scope offline_access.',
  claimsOfIdTokens: 'Claims of ID tokens',
  includeUserClaims: 'Name, email address and roles in the ID token',
  mostLibrariesReadTheName:
    'As far as the granted scopes allow. Most libraries read them there. The userinfo endpoint always returns them.',
  signatureOfIdTokens: 'Signature of ID tokens',
  es256IsSmallerAndFaster:
    'ES256 is smaller and faster. RS256 is for libraries that support nothing else.',
  es256: 'ES256',
  rs256: 'RS256',
  includedInEveryClient: 'Included in every client.',
  includedWithRefreshTokens: 'Included with refresh tokens.',
  text: (suggestion: string) => `Use ${suggestion}`,
  add: (lowerCase: string, slice: string) => `Add ${lowerCase}${slice}`,
  remove: (label: string) => `Remove ${label}`,
};
