import type { Static } from 'typebox';
import { ApiError, apiError, errorEntry } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import { type Role, findRoleById } from '../roles.ts';
import type { RolesSchema } from './member-schemas.ts';

interface RolesInput {
  roles?: Static<typeof RolesSchema>;
  policies?: unknown;
}

/**
 * The roles that a body names, each once.
 * @throws ApiError 3030 for a body with policies, 3001 without roles, 3025 with every unknown one
 */
export function parseRoles({ roles: given, policies }: RolesInput): Role[] {
  if (policies !== undefined && policies !== null) {
    throw apiError(iamErrors.policiesNotSupported, { pointer: '/policies' });
  }
  if (given === undefined) {
    throw apiError(iamErrors.invalidField, {
      message: `${iamErrors.invalidField.message}: roles is required`,
      pointer: '/roles',
    });
  }
  const roles = new Set<Role>();
  const faults = [];
  for (const [index, item] of given.entries()) {
    const [id, pointer] =
      typeof item === 'string' ? [item, `/roles/${index}`] : [item.id, `/roles/${index}/id`];
    const role = findRoleById(id);
    if (role === undefined) {
      const message = `${iamErrors.unknownRole.message}: ${id}`;
      faults.push(errorEntry(iamErrors.unknownRole, { message, pointer }));
    } else {
      roles.add(role);
    }
  }
  if (faults.length > 0) throw new ApiError(iamErrors.unknownRole.status, faults);
  return [...roles];
}
