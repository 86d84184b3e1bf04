import { type ApiError, apiError, defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** The errors of OAuth clients: 4001–4099. */
export const oauthErrors = defineErrors({
  invalidField: { status: 400, code: 4001, message: 'Invalid field' },
  unknownField: { status: 400, code: 4002, message: 'Unknown field' },
  unsupportedGrantType: { status: 400, code: 4003, message: 'Unsupported grant type' },
  unsupportedResponseType: { status: 400, code: 4004, message: 'Unsupported response type' },
  invalidRedirectUri: { status: 400, code: 4005, message: 'Invalid redirect URI' },
  unknownScope: { status: 400, code: 4006, message: 'Unknown scope' },
  notReadyToBePublic: { status: 400, code: 4010, message: 'Not ready to be public' },
  publicIsPermanent: { status: 400, code: 4011, message: 'Public is permanent' },
  frozenHost: { status: 400, code: 4012, message: 'Verified host is frozen' },
  oldSecretExists: {
    status: 400,
    code: 4020,
    message: 'The client already has two secrets. Delete the old one first',
  },
  noRotatedSecret: { status: 400, code: 4021, message: 'There is no old secret to delete' },
  clientHasNoSecret: {
    status: 400,
    code: 4022,
    message: 'The client has no secret: its token_endpoint_auth_method is none',
  },
  tooManyClients: { status: 400, code: 4030, message: 'Too many OAuth clients' },
  clientNotFound: { status: 404, code: 4040, message: 'OAuth client not found' },
  grantNotFound: { status: 404, code: 4041, message: 'Authorization not found' },
});

export const clientBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: oauthErrors.invalidField,
  unknown: oauthErrors.unknownField,
};

/** The refusal of an id that no client of the account has, whatever the id looks like. */
export function clientNotFound(): ApiError {
  return apiError(oauthErrors.clientNotFound);
}
