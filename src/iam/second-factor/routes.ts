import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { beginTotpRoute } from './begin-totp.ts';
import { confirmTotpRoute } from './confirm-totp.ts';
import { createRecoveryCodesRoute } from './create-recovery-codes.ts';
import { deleteTotpRoute } from './delete-totp.ts';
import { getTotpRoute } from './get-totp.ts';
import { showSecondFactorRoute } from './show-second-factor.ts';

/** Authenticator apps, recovery codes, and the second step of signing in with them. */
export function secondFactorRoutes(services: IamServices): ManagementRoute[] {
  return [
    getTotpRoute(services),
    beginTotpRoute(services),
    confirmTotpRoute(services),
    deleteTotpRoute(services),
    createRecoveryCodesRoute(services),
    showSecondFactorRoute(services),
  ];
}
