/** Texts of the pages in this folder. */
export const labels = {
  of: (cost: string, cost2: string) => `${cost} of ${cost2}`,
  nearTheLimit: 'Near the limit',
  limitReached: 'Limit reached',
  noToken: 'No token',
  spendLimits: 'Spend limits',
  changeLimits: 'Change limits',
  viewSettings: 'View settings',
  thisGatewayHasNoSpend: 'This gateway has no spend limits of its own. ',
  allSpendLimits: 'All spend limits of this gateway are disabled. ',
  setALimit: 'Set a limit',
  loading: 'Loading…',
  oneMoreRuleIsDisabled: 'One more rule is disabled.',
  moreRulesAreDisabled: (off: number) => `${off} more rules are disabled.`,
  noSpendingInThisPeriod: 'No spending in this period yet.',
  showMore: (count: string) => `Show ${count} more`,
  moreHaveSpentLessAnalytics: (count: string) =>
    `${count} more have spent less. Analytics shows cost by model, token or metadata.`,
  ofModelsWithoutAKnown: (counted: string) =>
    `${counted} of models without a known price counted as free.`,
  sumOfTheLast: (windowWords: string) => `Sum of the last ${windowWords}`,
  inAny: (cost: string, words: string) => `${cost} in any ${words}`,
  every: (cost: string, words: string) => `${cost} every ${words}`,
  allRequests: 'for all requests together',
  oauthClient: 'OAuth client',
  more: (rest: number) => `${rest} more`,
};
