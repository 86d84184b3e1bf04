import { Type } from 'typebox';
import { type AnyRoute, createRouteDefiner } from '../http/route.ts';
import type { PermissionSlug } from './permissions.ts';
import type { Principal } from './principal.ts';

/**
 * What a route demands: one permission of the catalogue on the account (and gateway) in its path,
 * or merely a valid credential of that account.
 */
export type Access = PermissionSlug | 'authenticated';

export type ManagementRoute = AnyRoute<Principal, Access>;

/** Declares one operation of the management API. */
export const defineRoute = createRouteDefiner<Principal, Access>();

/** Path parameters of an operation on an account. */
export const AccountParams = Type.Object({
  account_id: Type.String({ description: 'Account id: 32 hex digits' }),
});
