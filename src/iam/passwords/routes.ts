import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { changePasswordRoute } from './change-password.ts';
import { createPasswordResetRoute } from './create-password-reset.ts';
import { updatePasswordResetRoute } from './update-password-reset.ts';

/** What a person may do about a password. */
export function passwordRoutes(services: IamServices): ManagementRoute[] {
  return [
    changePasswordRoute(services),
    createPasswordResetRoute(services),
    updatePasswordResetRoute(services),
  ];
}
