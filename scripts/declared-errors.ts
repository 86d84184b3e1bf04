import { type ErrorDefinition, httpErrors } from '../src/http/errors.ts';
import { iamErrors } from '../src/iam/iam-errors.ts';

/** Every error table of the server, by the name of its domain. */
export const errorTables: Readonly<Record<string, Readonly<Record<string, ErrorDefinition>>>> = {
  HTTP: httpErrors,
  'Accounts, people, tokens': iamErrors,
};

/** Every declared error. */
export function declaredErrors(): ErrorDefinition[] {
  return Object.values(errorTables).flatMap((table) => Object.values(table));
}
