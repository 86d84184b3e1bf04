import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import type { IamServices } from '../iam-services.ts';

/**
 * Checks that users may have passwords. Every operation that takes a password or sends a link to set one calls it.
 * @throws ApiError 3047 if the setting PASSWORD_SIGN_IN is off
 */
export function requirePasswords({ hasPasswords }: Pick<IamServices, 'hasPasswords'>): void {
  if (!hasPasswords) throw apiError(iamErrors.passwordsOff);
}
