import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { type ErrorEntry, errorEntry } from '../../http/errors.ts';

const Lacking = Type.Optional(
  Type.Unknown({
    description: 'Not supported in this version: must be disabled, for example null',
  }),
);

/** Settings of the public API that this version lacks. */
export const UNSUPPORTED_SETTINGS = {
  dlp: Lacking,
  guardrails: Lacking,
  log_classification: Lacking,
  logpush: Lacking,
  logpush_public_key: Lacking,
  store_id: Lacking,
  stripe: Lacking,
  workers_ai_billing_mode: Lacking,
};

/** The values that responses show, since Terraform's provider plans them for each gateway. */
export const DISABLED_FEATURES = { logpush: false, workers_ai_billing_mode: 'postpaid' };

/** Returns a fault for each unsupported feature that a body enables. */
export function findLackingFeatures(body: Readonly<Record<string, unknown>>): ErrorEntry[] {
  const { invalidField } = gatewayFieldErrors;
  return Object.keys(UNSUPPORTED_SETTINGS)
    .filter((name) => !isOff(body[name]))
    .map((name) =>
      errorEntry(invalidField, {
        message: `${invalidField.message}: ${name} is not supported in this version: omit or disable it`,
        pointer: `/${name}`,
      }),
    );
}

/** Returns true for a value that disables its feature. */
function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0) return true;
  // The account pays the provider itself, as it does here.
  if (value === '' || value === 'postpaid') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && 'enabled' in value && value.enabled === false;
}
