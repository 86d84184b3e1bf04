import { showMembers } from '../audit/audit-view.ts';
import type { Transaction } from '../../storage/schema.ts';
import type { ChangeTools } from '../changes.ts';
import { findPerson } from '../sessions/sign-in.ts';
import { findUser, lockUser, updateUser } from '../users/user-store.ts';
import { verifyEmail } from '../users/verify-email.ts';
import { insertExternalIdentity, useExternalIdentity } from './external-identity-store.ts';
import type { ExternalPerson } from './openid-provider.ts';

/**
 * Who somebody is here for whom the provider vouches.
 * - `unverified`: the provider does not vouch for an address by which the person could be found
 * - `unknown`: nobody has invited that address, or the person is locked out
 */
export type FoundPerson = { userId: string } | 'unverified' | 'unknown';

/**
 * Finds the person of an identity: by the identity, or the first time by a verified address, which
 * links the two. Addresses change hands, identities do not.
 */
export async function findExternalPerson(
  tools: ChangeTools,
  external: ExternalPerson,
  nowMs: number,
): Promise<FoundPerson> {
  const { tx } = tools;
  const linked = await useExternalIdentity(tx, external, nowMs);
  if (linked !== undefined) return admitted(tx, linked);
  const { email, emailFault } = external;
  if (email === undefined || emailFault !== undefined) return 'unverified';
  const user = await findPerson(tx, email);
  if (user === undefined) return 'unknown';
  await lockUser(tx, user.id);
  // Linked by another request that held the lock.
  const meanwhile = await useExternalIdentity(tx, external, nowMs);
  if (meanwhile !== undefined) return admitted(tx, meanwhile);
  await link(tools, external, { id: user.id, email: user.email }, nowMs);
  return { userId: user.id };
}

async function admitted(tx: Transaction, userId: string): Promise<FoundPerson> {
  const user = await findUser(tx, userId);
  return user?.lockedAtMs === undefined ? { userId } : 'unknown';
}

/** Gives a user without a name the name that the provider states. An existing name stays. */
export async function adoptName(
  { tx, audit }: ChangeTools,
  userId: string,
  { issuer, firstName, lastName }: ExternalPerson,
): Promise<void> {
  const user = await findUser(tx, userId);
  const hasName = user?.firstName !== undefined || user?.lastName !== undefined;
  if (user === undefined || hasName || (firstName ?? lastName) === undefined) return;
  await updateUser(tx, userId, { firstName, lastName });
  audit({
    chain: { userId },
    actor: { id: userId, email: user.email },
    type: 'update',
    description: 'Took the name from the OpenID provider',
    resource: { type: 'user', id: userId, product: 'user' },
    request: { issuer },
    shows: { request: showMembers('issuer') },
  });
}

async function link(
  { tx, announce, audit }: ChangeTools,
  { issuer, subject }: ExternalPerson,
  actor: { id: string; email: string },
  nowMs: number,
): Promise<void> {
  const shared = { chain: { userId: actor.id }, actor, shows: { request: showMembers('issuer') } };
  if (await verifyEmail(tx, announce, actor.id, nowMs)) {
    audit({
      ...shared,
      type: 'verify_email',
      description: 'Verified the email address; previous credentials were removed',
      resource: { type: 'user', id: actor.id, product: 'user' },
    });
  }
  await insertExternalIdentity(tx, { issuer, subject }, actor.id, nowMs);
  audit({
    ...shared,
    type: 'link',
    description: 'Linked an identity of the OpenID provider',
    resource: { type: 'external_identity', id: subject.slice(0, 256), product: 'sessions' },
    request: { issuer },
  });
}
