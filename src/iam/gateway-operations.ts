import { Type } from 'typebox';
import { defineErrors, httpErrors } from '../http/errors.ts';
import type { BodyFaults } from '../http/route.ts';
import { describedPattern } from '../http/schema-check.ts';
import { AccountParams } from './route.ts';

/** The ids of gateways, which users choose. */
export const GATEWAY_ID_PATTERN = describedPattern(
  '^[a-z0-9_-]{1,64}$',
  'must be 1 to 64 lowercase letters, digits, underscores and hyphens',
);

/** The path of operations on one gateway. */
export const GatewayParams = Type.Object({
  ...AccountParams.properties,
  gateway_id: Type.String(),
});

/** Errors of invalid members in the bodies of operations on gateways and their logs. */
export const gatewayFieldErrors = defineErrors({
  invalidField: { status: 400, code: 5001, message: 'Invalid field' },
  unknownField: { status: 400, code: 5002, message: 'Unknown field' },
});

export const gatewayBodyFaults: BodyFaults = {
  malformed: httpErrors.malformedJson,
  invalid: gatewayFieldErrors.invalidField,
  unknown: gatewayFieldErrors.unknownField,
};
