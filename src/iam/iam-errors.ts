import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';

/** The errors of accounts, people and tokens: 3001–3099. */
export const iamErrors = defineErrors({
  invalidField: { status: 400, code: 3001, message: 'Invalid field' },
  unknownField: { status: 400, code: 3002, message: 'Unknown field' },
  unknownPermissionGroup: { status: 400, code: 3010, message: 'Unknown permission group' },
  invalidResource: { status: 400, code: 3011, message: 'Invalid policy resource' },
  exceedsCreator: {
    status: 403,
    code: 3012,
    message: 'A token cannot hold more than its creator holds',
  },
  invalidTimes: { status: 400, code: 3013, message: 'Invalid validity period' },
  tooManyTokens: {
    status: 400,
    code: 3014,
    message: 'The owner has as many API tokens as it may have',
  },
});

/** What the operations that define a token refuse with. */
export const tokenErrors = [
  iamErrors.unknownPermissionGroup,
  iamErrors.invalidResource,
  iamErrors.exceedsCreator,
  iamErrors.invalidTimes,
  iamErrors.tooManyTokens,
];

export const iamBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: iamErrors.invalidField,
  unknown: iamErrors.unknownField,
};
