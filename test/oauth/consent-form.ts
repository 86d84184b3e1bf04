import assert from 'node:assert/strict';
import { sessionAnnouncement } from '../../src/iam/credentials.ts';
import { userAnnouncement } from '../../src/iam/users/user-directory.ts';
import { createId } from '../../src/lib/ids.ts';
import { digestSecret } from '../../src/lib/secrets.ts';
import { clientAnnouncement } from '../../src/oauth/clients/client-directory.ts';
import { addMember } from '../support/people.ts';
import type { Answer, Json, TestServer } from '../support/server.ts';
import type { Visitor } from '../support/visitor.ts';
import { type Fields, authPath, consentPathOf, postRaw } from './authorizing.ts';

/** The form of the consent page as a browser has it. */
export interface ConsentForm {
  page: Answer;
  /** What is sent without the button. */
  fields: URLSearchParams;
  /** `required`, `ticked` or `unticked`, in the order shown. */
  scopes: Record<string, string>;
  /** `ticked`, `unticked` or `disabled` by name, in the order shown. */
  accounts: Record<string, string>;
  canApprove: boolean;
}

/** Reads the form out of the page. */
export function readForm(page: Answer): ConsentForm {
  const form: ConsentForm = {
    page,
    fields: new URLSearchParams(),
    scopes: {},
    accounts: {},
    canApprove: page.text.includes('value="approve"'),
  };
  const names = new Map(
    [...page.text.matchAll(/for="account-([^"]*)"\s*><bdi>([^<]*)<\/bdi>/g)].map(
      ([, id = '', name = '']) => [id, name],
    ),
  );
  for (const [, attributes = ''] of page.text.matchAll(/<input\b([^>]*)>/g)) {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const [name, value] = [read('name'), read('value')];
    const isHidden = read('type') === 'hidden';
    const isTicked = /\schecked\b/.test(attributes);
    if (isHidden || isTicked) form.fields.append(name, value);
    const state = isTicked ? 'ticked' : 'unticked';
    const account = names.get(read('id').replace('account-', ''));
    if (name === 'scope') form.scopes[value] = isHidden ? 'required' : state;
    else if (account !== undefined) {
      form.accounts[account] = /\sdisabled\b/.test(attributes) ? 'disabled' : state;
    }
  }
  return form;
}

/** Where a person is asked what a client wants. */
export async function askedAt(
  visitor: Visitor,
  client: Json,
  changes: Fields = {},
): Promise<string> {
  return consentPathOf(await visitor.open(authPath(client, changes)));
}

/** The form in which a person is asked what a client wants. */
export async function formOf(
  visitor: Visitor,
  client: Json,
  changes: Fields = {},
): Promise<ConsentForm> {
  const page = await visitor.open(await askedAt(visitor, client, changes));
  assert.equal(page.status, 200, page.text);
  return readForm(page);
}

/** Sends the form with a button; `edit` changes what is sent. */
export function decideWith(
  server: TestServer,
  visitor: Visitor,
  { fields }: ConsentForm,
  decision: string,
  edit: (fields: URLSearchParams) => void = () => {},
): Promise<Answer> {
  const sent = new URLSearchParams(fields);
  sent.set('decision', decision);
  edit(sent);
  return postRaw(server, '/oauth2/consent', sent, visitor);
}

/** An account of its own, in which the person is a member. */
export async function addAccount(
  server: TestServer,
  userId: string,
  name: string,
  { demandsSecondFactor = false, roles = ['member'] } = {},
): Promise<string> {
  const id = createId();
  await server.app.database.transaction(async (tx) => {
    const enforced = demandsSecondFactor ? (1 as const) : (0 as const);
    await tx
      .insertInto('accounts')
      .values({ id, name, created_at: 0, enforce_twofactor: enforced })
      .execute();
  });
  await addMember(server, userId, id, roles);
  return id;
}

/** Changes columns of a client, whatever the rules say. */
export async function setClient(
  server: TestServer,
  { client_id: clientId }: Json,
  columns: {
    scopes?: string[];
    optional_scopes?: string[];
    redirect_uris?: string[];
    visibility?: 'public';
  },
): Promise<void> {
  const texts = Object.entries(columns).map(([name, value]) => [
    name,
    Array.isArray(value) ? JSON.stringify(value) : value,
  ]);
  await server.app.database.transaction(async (tx, announce) => {
    await tx
      .updateTable('oauth_clients')
      .set(Object.fromEntries(texts))
      .where('id', '=', clientId)
      .execute();
    announce(clientAnnouncement(clientId));
  });
}

/** Has the publisher of a client be verified. */
export async function verifyPublisher(server: TestServer, clientId: string): Promise<void> {
  await server.app.database.transaction(async (tx, announce) => {
    await tx
      .updateTable('oauth_client_verifications')
      .set({ status: 'verified', verified_at: 0, next_check_at: null })
      .where('client_id', '=', clientId)
      .execute();
    announce(clientAnnouncement(clientId));
  });
}

/** Takes a person out of an account. */
export async function leave(server: TestServer, userId: string, accountId: string): Promise<void> {
  await server.app.database.transaction(async (tx, announce) => {
    await tx
      .deleteFrom('members')
      .where('user_id', '=', userId)
      .where('account_id', '=', accountId)
      .execute();
    announce(userAnnouncement(userId));
  });
}

/** Ends the session of a browser. */
export async function endSession(server: TestServer, visitor: Visitor): Promise<void> {
  const digest = digestSecret(visitor.cookie('latchkey_session') ?? '');
  await server.app.database.transaction(async (tx, announce) => {
    await tx.deleteFrom('sessions').where('digest', '=', digest).execute();
    announce(sessionAnnouncement(digest));
  });
}

/** What people have let a client do, oldest first. */
export async function grantsOf(server: TestServer, { client_id: clientId }: Json) {
  const rows = await server.app.database.read
    .selectFrom('oauth_grants')
    .selectAll()
    .where('client_id', '=', clientId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    accounts: JSON.parse(row.accounts) as string[],
    scopes: JSON.parse(row.scopes) as string[],
    declined: JSON.parse(row.declined_scopes) as string[],
  }));
}
