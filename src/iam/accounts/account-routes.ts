import type { IamServices } from '../iam-services.ts';
import type { ManagementRoute } from '../route.ts';
import { createAccountRoute } from './create-account.ts';
import { deleteAccountRoute } from './delete-account.ts';
import { getAccountRoute } from './get-account.ts';
import { listAccountsRoute } from './list-accounts.ts';
import { updateAccountRoute } from './update-account.ts';

/** The operations on accounts themselves. */
export function accountRoutes(services: IamServices): ManagementRoute[] {
  return [
    listAccountsRoute(services),
    createAccountRoute(services),
    getAccountRoute(services),
    updateAccountRoute(services),
    deleteAccountRoute(services),
  ];
}
