import { createId } from '../../src/lib/ids.ts';
import type { Clock } from '../../src/lib/clock.ts';
import {
  type Person,
  type SessionHeaders,
  addMember,
  createPerson,
  signInAs,
} from '../support/people.ts';
import { type TestServer, allowPolicy } from '../support/server.ts';

/** The resource that stands for all accounts of a person. */
export const EVERY_ACCOUNT = 'com.latchkey.api.account.*';

/** Somebody who is signed in. */
export interface Newcomer extends Person {
  session: SessionHeaders;
  /** One request of theirs. */
  call: TestServer['call'];
}

/** Signs somebody in who has these roles in the first account. */
export async function newcomer(
  server: TestServer,
  clock: Clock,
  ...roles: string[]
): Promise<Newcomer> {
  const person = await createPerson(server, { accountId: server.accountId, roles });
  const session = await signInAs(server, person.userId, clock);
  const call: TestServer['call'] = (method, path, options) =>
    server.call(method, path, { token: null, headers: session, ...options });
  return { ...person, session, call };
}

/** Makes another account in which a person has these roles; answers its id. */
export async function newAccount(
  server: TestServer,
  userId: string,
  ...roles: string[]
): Promise<string> {
  const id = createId();
  await server.app.database.transaction(async (tx) => {
    await tx.insertInto('accounts').values({ id, name: 'Other', created_at: 1 }).execute();
  });
  await addMember(server, userId, id, roles);
  return id;
}

/** A policy on a resource by its full name. */
export function policy(resource: string, slugs: readonly string[], effect = 'allow') {
  const { permission_groups } = allowPolicy('', [...slugs]);
  return { effect, permission_groups, resources: { [resource]: '*' } };
}
