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
  tooManyClients: { status: 400, code: 4030, message: 'Too many OAuth clients' },
  clientNotFound: { status: 404, code: 4040, message: 'OAuth client not found' },
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
