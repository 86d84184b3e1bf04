import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** Refusals on the gateway's request path: 2001–2049. A provider's own errors pass unchanged. */
export const gatewayErrors = defineErrors({
  noSuchGateway: { status: 404, code: 2001, message: 'No such gateway' },
  tooManyRequests: { status: 429, code: 2003, message: 'Too many requests' },
  upstreamFailed: { status: 502, code: 2005, message: 'Failed to get response from provider' },
  upstreamTimedOut: { status: 504, code: 2006, message: 'Upstream timed out' },
  invalidProvider: { status: 400, code: 2008, message: 'Invalid provider' },
  unauthorized: { status: 401, code: 2009, message: 'Unauthorized' },
  bodyTooLarge: { status: 413, code: 2010, message: 'Request body too large' },
  spendLimitReached: { status: 429, code: 2011, message: 'Spend limit reached' },
  badFormat: {
    status: 400,
    code: 2019,
    message: 'Bad format: model must be "provider/model", such as "openai/gpt-4o-mini"',
  },
  badBody: { status: 400, code: 2020, message: 'Bad format: the body must be a JSON object' },
  badPath: { status: 400, code: 2021, message: 'Bad format: the path must not leave the provider' },
  badHeader: { status: 400, code: 2022, message: 'Invalid request header' },
  unsupportedOperation: {
    status: 400,
    code: 2023,
    message: 'The provider does not serve this operation',
  },
  untranslatable: {
    status: 400,
    code: 2024,
    message: 'The request cannot be said in the API of the provider',
  },
  unpricedModel: { status: 400, code: 2026, message: 'No price of the model is known' },
  deferredCost: {
    status: 400,
    code: 2027,
    message: 'A call whose cost arises after its answer cannot be made under a spend limit',
  },
  notOver: {
    status: 400,
    code: 2028,
    message: 'The cost is not known yet: cancel the response or batch, or wait for its end',
  },
  tooManyDeferred: {
    status: 429,
    code: 2029,
    message: 'The gateway has as many background calls and batches as it may have at a time',
  },
  noSuchModel: { status: 404, code: 2025, message: 'No such model' },
  noStoredKey: { status: 400, code: 2040, message: 'The gateway has no stored key of this alias' },
  keyElsewhere: {
    status: 400,
    code: 2041,
    message: 'The stored key is for another address than the one that the request names',
  },
});

/** Errors of managing gateways and their logs: 5001–5099. */
export const gatewayManagementErrors = defineErrors({
  invalidField: { status: 400, code: 5001, message: 'Invalid field' },
  unknownField: { status: 400, code: 5002, message: 'Unknown field' },
  gatewayExists: { status: 400, code: 5010, message: 'A gateway of this id exists already' },
  tooManyGateways: {
    status: 400,
    code: 5011,
    message: 'The account has as many gateways as it may have',
  },
  aliasTaken: {
    status: 400,
    code: 5020,
    message: 'The gateway keeps a key of this provider under this alias already',
  },
  tooManyProviderConfigs: {
    status: 400,
    code: 5021,
    message: 'The gateway keeps as many keys as it may keep',
  },
  invalidBaseUrl: { status: 400, code: 5022, message: 'Invalid base_url' },
  slugTaken: {
    status: 400,
    code: 5023,
    message: 'The account has a custom provider of this slug already',
  },
  tooManyCustomProviders: {
    status: 400,
    code: 5024,
    message: 'The account has as many custom providers as it may have',
  },
  providerHasKeys: {
    status: 400,
    code: 5025,
    message: 'Gateways keep keys for this provider: delete them first, or they would go elsewhere',
  },
  logsTooBroad: {
    status: 400,
    code: 5026,
    message: 'Too many logs to look at: ask for a shorter time, or filter by more',
  },
  analyticsTooBroad: {
    status: 400,
    code: 5040,
    message: 'Too much to sum up: ask for a shorter time, longer intervals or a single gateway',
  },
});

export const gatewayBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: gatewayManagementErrors.invalidField,
  unknown: gatewayManagementErrors.unknownField,
};
