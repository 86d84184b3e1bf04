import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** Refusals on the gateway's request path: 2001–2049. A provider's own errors pass unchanged. */
export const gatewayErrors = defineErrors({
  noSuchGateway: { status: 404, code: 2001, message: 'No such gateway' },
  upstreamFailed: { status: 502, code: 2005, message: 'Failed to get response from provider' },
  upstreamTimedOut: { status: 504, code: 2006, message: 'Upstream timed out' },
  invalidProvider: { status: 400, code: 2008, message: 'Invalid provider' },
  unauthorized: { status: 401, code: 2009, message: 'Unauthorized' },
  bodyTooLarge: { status: 413, code: 2010, message: 'Request body too large' },
  badFormat: {
    status: 400,
    code: 2019,
    message: 'Bad format: model must be "provider/model", such as "openai/gpt-4o-mini"',
  },
  badBody: { status: 400, code: 2020, message: 'Bad format: the body must be a JSON object' },
  badPath: { status: 400, code: 2021, message: 'Bad format: the path must not leave the provider' },
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
});

export const gatewayBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: gatewayManagementErrors.invalidField,
  unknown: gatewayManagementErrors.unknownField,
};
