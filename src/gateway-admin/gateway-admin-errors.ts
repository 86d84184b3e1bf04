import { defineErrors } from '../http/errors.ts';

/** Errors of the operations on gateways, provider keys and custom providers: 5010–5025. */
export const gatewayAdminErrors = defineErrors({
  gatewayExists: { status: 400, code: 5010, message: 'A gateway with this id already exists' },
  tooManyGateways: {
    status: 400,
    code: 5011,
    message: 'The account has reached its limit of gateways',
  },
  aliasTaken: {
    status: 400,
    code: 5020,
    message: 'The gateway already has a key of this provider with this alias',
  },
  tooManyProviderConfigs: {
    status: 400,
    code: 5021,
    message: 'The gateway has reached its limit of stored keys',
  },
  invalidBaseUrl: { status: 400, code: 5022, message: 'Invalid base_url' },
  slugTaken: {
    status: 400,
    code: 5023,
    message: 'The account already has a custom provider with this slug',
  },
  tooManyCustomProviders: {
    status: 400,
    code: 5024,
    message: 'The account has reached its limit of custom providers',
  },
  providerHasKeys: {
    status: 400,
    code: 5025,
    message:
      'Gateways store keys for this provider. Delete the keys first, so that they are not sent to the new address',
  },
});
