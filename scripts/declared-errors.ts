import { gatewayErrors } from '../src/gateway/gateway-errors.ts';
import { logErrors } from '../src/request-log/api/log-errors.ts';
import { gatewayAdminErrors } from '../src/gateway-admin/gateway-admin-errors.ts';
import { type ErrorDefinition, httpErrors } from '../src/http/errors.ts';
import { gatewayFieldErrors } from '../src/iam/gateway-operations.ts';
import { iamErrors } from '../src/iam/iam-errors.ts';
import { oauthErrors } from '../src/oauth/oauth-errors.ts';
import { tagErrors } from '../src/tags/tag-errors.ts';

/** Every error table of the server, by the name of its domain. */
export const errorTables: Readonly<Record<string, Readonly<Record<string, ErrorDefinition>>>> = {
  HTTP: httpErrors,
  'Accounts, people, tokens': iamErrors,
  'OAuth clients': oauthErrors,
  'AI gateway: request path': gatewayErrors,
  'AI gateway: management': { ...gatewayFieldErrors, ...gatewayAdminErrors, ...logErrors },
  'Resource tags': tagErrors,
};

/** Every declared error. */
export function declaredErrors(): ErrorDefinition[] {
  return Object.values(errorTables).flatMap((table) => Object.values(table));
}
