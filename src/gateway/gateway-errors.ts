import { defineErrors } from '../http/errors.ts';

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
    message:
      'Bad format: model must be "provider/model", such as "openai/gpt-4o-mini", or an alias of the gateway',
  },
  badBody: { status: 400, code: 2020, message: 'Bad format: the body must be a JSON object' },
  badPath: { status: 400, code: 2026, message: 'Bad format: the path must not leave the provider' },
  badHeader: { status: 400, code: 2022, message: 'Invalid request header' },
  unsupportedOperation: {
    status: 400,
    code: 2023,
    message: 'The provider does not serve this operation',
  },
  untranslatable: {
    status: 400,
    code: 2024,
    message: 'The request has no equivalent in the API of the provider',
  },
  unpricedModel: { status: 400, code: 2030, message: 'The price of the model is unknown' },
  deferredCost: {
    status: 400,
    code: 2027,
    message:
      'This operation is not supported under a spend limit: its cost arises after the response',
  },
  notOver: {
    status: 400,
    code: 2028,
    message: 'The cost is not known yet: cancel the response or batch, or wait until it ends',
  },
  tooManyDeferred: {
    status: 429,
    code: 2029,
    message: 'The gateway has reached its limit of concurrent background calls and batches',
  },
  noSuchModel: { status: 404, code: 2025, message: 'No such model' },
  noStoredKey: {
    status: 400,
    code: 2040,
    message: 'The gateway has no stored key with this alias',
  },
  keyElsewhere: {
    status: 400,
    code: 2041,
    message: 'The stored key is bound to another origin than the one in the request',
  },
  ownKeyRequired: {
    status: 400,
    code: 2042,
    message:
      'The gateway requires a provider key in the request, or a stored key of the gateway for this provider',
  },
});
