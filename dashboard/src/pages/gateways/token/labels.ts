/** Texts of the pages in this folder. */
export const labels = {
  authenticatedGatewayIs: (value: string) => `Authenticated Gateway is ${value}`,
  turnOff: 'Turn off',
  turnOn: 'Turn on',
  turnAuthenticatedGatewayFor: (value: string, id: string) =>
    `Turn ${value} Authenticated Gateway for ${id}?`,
  eachRequestThenNeeds:
    'Each request then needs a valid API token with permission to run requests through this gateway. Other requests are rejected immediately with status 401. They reach no provider and are not logged.',
  theRequestsOfTheLast:
    'The requests of the last 24 hours could not be counted. Make sure that each of your programs sends a token.',
  countingRequestsWithoutAValid: 'Counting requests without a valid token…',
  authorization: 'Authorization',
  noRequestWasLogged:
    'No request was logged in the last 24 hours, so no affected program is known.',
  logsAreDisabledSoRequests: "Logs are disabled, so requests without a token can't be counted.",
  ofTheLast24Hours: (partOfRequests: string) =>
    `${partOfRequests} of the last 24 hours had a valid token and keep working.`,
  theProgramsThatSentThem:
    'The programs that sent them stop working. Configure a token in these programs first, and turn this on when all requests have a token.',
  ofTheLast24HoursHad: (part: string) => `${part} of the last 24 hours had no valid token`,
  anyClientThatCanReach:
    'Any client that can reach this server can then send requests through this gateway, fill its logs and use up its limits.',
  theSettingsLetClientsWithout:
    'The settings let clients without a token use stored provider keys, so any client can spend your money at the providers. Turn that setting off first unless you want this.',
  unauthenticatedClientsCanUseStored: 'Unauthenticated clients can use stored keys',
  onlyClientsWithAValid:
    'Stored provider keys and keys of the server are available only to clients with a valid token. Other clients need their own key.',
  ifASpendLimitCounts:
    'If a spend limit counts each token separately, all requests without a token share one budget.',
  ofRequests: (count: string, count2: string) => `${count} of ${count2} requests`,
  closeWithoutCopyingTheToken: 'Close without copying the token?',
  youHaveNotCopied:
    "You have not copied the token, and it can't be shown again. You can create another one.",
  createToken: 'Create token',
  createAnAuthenticationTokenFor: (id: string) => `Create an authentication token for ${id}`,
  anApiToken:
    "An API token of this account with one permission: to run requests through this gateway. It can't read or change anything.",
  theToken: (name: string) => `The token ${name}`,
  name: 'Name',
  whereTheTokenIsUsed:
    'Purpose of the token, for example: checkout service. At most 120 characters.',
  enterAName: 'Enter a name.',
  expires: 'Expires',
  in30Days: 'In 30 days',
  in90Days: 'In 90 days',
  in1Year: 'In 1 year',
  atAnotherTime: 'At another time…',
  never: 'Never',
  dateAndTime: 'Date and time',
  enterADateAndTime: 'Enter a date and time.',
  cancel: 'Cancel',
  aTokenWithoutExpiryWorks: 'A token without expiry works until it is deleted, even if it leaks.',
  expiresOnLaterRequests: (time: string) => `Expires on ${time}. Later requests are rejected.`,
  copyTheTokenNow:
    "Copy the token now, for example into a secret store. The server keeps only a hash, so the token can't be shown again.",
  token: 'Token',
  sendTheTokenWithEach: 'Send the token with each request',
  api: 'API',
  restApi: 'REST API',
  oneUrlForAllModels:
    'One URL for all models, for OpenAI and Anthropic clients. The header cf-aig-gateway-id selects the gateway.',
  gatewayHost: 'Gateway host',
  theNativeApiOfEach:
    'The native API of each provider below the gateway URL. The Authorization header stays free for a provider key.',
  bearer: (header: string) => `${header}: Bearer …`,
};
