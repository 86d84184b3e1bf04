import { brand } from '../../lib/site.ts';

/** What the name of a resource stands for; undefined for one of a kind that is unknown here. */
export type Resource =
  | { kind: 'account'; accountId: string }
  | { kind: 'gateway'; accountId: string; gatewayId: string }
  | { kind: 'user' };

/** Stands for every account of a person. */
export const EVERY_ACCOUNT = '*';

const ACCOUNT = /\.api\.account\.([0-9a-f]{32}|\*)(?:\.ai-gateway\.([a-z0-9_-]+))?$/;
const USER = /\.api\.user\.[0-9a-f]{32}$/;

/** Ids of gateways, as the API takes them. */
export const GATEWAY_ID = /^[a-z0-9_-]{1,64}$/;

/** The name of an account, or of all of them, as policies have it. */
export function accountResource(accountId: string): string {
  return `com.${brand}.api.account.${accountId}`;
}

/** The name of one AI gateway. */
export function gatewayResource(accountId: string, gatewayId: string): string {
  return `${accountResource(accountId)}.ai-gateway.${gatewayId}`;
}

/** The name of a person. */
export function userResource(userId: string): string {
  return `com.${brand}.api.user.${userId}`;
}

/** Reads the name of a resource. */
export function parseResource(name: string): Resource | undefined {
  if (USER.test(name)) return { kind: 'user' };
  const [, accountId, gatewayId] = ACCOUNT.exec(name) ?? [];
  if (accountId === undefined) return undefined;
  return gatewayId === undefined
    ? { kind: 'account', accountId }
    : { kind: 'gateway', accountId, gatewayId };
}

/** Whether the first resource has all of the second in it, as the server sees it. */
export function covers(outerName: string, innerName: string): boolean {
  if (outerName === innerName) return true;
  const outer = parseResource(outerName);
  const inner = parseResource(innerName);
  if (outer === undefined || inner === undefined || outer.kind === 'user') return false;
  // Who may act in all of a person's accounts may act on what is the person's own.
  if (inner.kind === 'user') return outer.kind === 'account' && outer.accountId === EVERY_ACCOUNT;
  const isSameAccount = outer.accountId === EVERY_ACCOUNT || outer.accountId === inner.accountId;
  if (!isSameAccount || outer.kind === 'account') return isSameAccount;
  return inner.kind === 'gateway' && inner.gatewayId === outer.gatewayId;
}
