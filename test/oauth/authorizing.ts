import assert from 'node:assert/strict';
import {
  type CodeOptions,
  REDIRECT_URI,
  authorize,
  createPkce,
} from '../support/authorizations.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import { type Person, type PersonOptions, createPerson, signInAs } from '../support/people.ts';
import { type Answer, type Json, type TestServer, request } from '../support/server.ts';
import { Visitor, hiddenFields, redirectOf } from '../support/visitor.ts';

/** Parameters of a request; undefined leaves one out. */
export type Fields = Record<string, string | undefined>;

/** Parameters that begin an authorization by a client, with changes. */
export function authFields(client: Json, changes: Fields = {}): Record<string, string> {
  const { client_id: clientId, token_endpoint_auth_method: method } = client;
  const fields: Fields = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid tags.read',
    state: 's t/a+t&e=',
    ...(method === 'none' && {
      code_challenge: createPkce().challenge,
      code_challenge_method: 'S256',
    }),
    ...changes,
  };
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

/** The address with which a client sends a person. */
export function authPath(client: Json, changes: Fields = {}): string {
  return `/oauth2/auth?${new URLSearchParams(authFields(client, changes)).toString()}`;
}

/** A person with a browser who is signed in. */
export async function signedIn(
  server: TestServer,
  clock: ManualClock,
  options: PersonOptions = {},
): Promise<{ person: Person; visitor: Visitor }> {
  const person = await createPerson(server, { accountId: server.accountId, ...options });
  const visitor = new Visitor(server);
  await giveSession(server, clock, visitor, person.userId);
  return { person, visitor };
}

/** Signs a person in anew, in the same browser. */
export async function giveSession(
  server: TestServer,
  clock: ManualClock,
  visitor: Visitor,
  userId: string,
): Promise<void> {
  const { cookie } = await signInAs(server, userId, clock);
  visitor.cookies.set('latchkey_session', cookie.slice(cookie.indexOf('=') + 1));
}

/** A decision from before: straight in the database, with a code that nobody redeems. */
export async function remember(
  server: TestServer,
  clock: ManualClock,
  options: Omit<CodeOptions, 'clock'>,
): Promise<void> {
  await authorize(server, { ...options, clock });
}

/** The parameters in an answer that sends the browser to the client. */
export function answerTo(answer: Answer, redirectUri = REDIRECT_URI): Record<string, string> {
  const [status, location] = redirectOf(answer);
  assert.equal(status, 303, answer.text);
  const [place, query = ''] = (location as string).split(/\?(.*)/s);
  assert.equal(place, redirectUri);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return Object.fromEntries(new URLSearchParams(query));
}

/** The browser must be sent to the client with a code; answers the code. */
export function codeOf(answer: Answer, redirectUri?: string): string {
  const { code = '', ...rest } = answerTo(answer, redirectUri);
  assert.match(code, /^[A-Za-z0-9_-]{43}$/, JSON.stringify(rest));
  return code;
}

/** The client must be told this error, and nothing else; answers the description. */
export function errorOf(answer: Answer, expected: string): string {
  const { error, error_description: description = '', code } = answerTo(answer);
  assert.deepEqual([error, code], [expected, undefined], description);
  return description;
}

/** The person must be asked on the consent page; answers where. */
export function consentPathOf(answer: Answer): string {
  const [status, location] = redirectOf(answer);
  assert.equal(status, 303, answer.text);
  assert.match(String(location), /^\/oauth2\/consent\?transaction=/);
  return String(location);
}

/** The person must sign in; answers the address and where it leads afterwards. */
export function signInPathOf(answer: Answer): {
  path: string;
  query: URLSearchParams;
  resume: string;
} {
  const [status, location] = redirectOf(answer);
  assert.equal(status, 303, answer.text);
  const path = String(location);
  assert.match(path, /^\/login\?/);
  const query = new URLSearchParams(path.slice(path.indexOf('?')));
  const resume = query.get('return_to') ?? '';
  assert.match(resume, /^\/oauth2\/auth\/resume\?request=v1\.[A-Za-z0-9_-]+$/);
  return { path, query, resume };
}

/** Says yes, or no, to everything that the consent page asks for. */
export async function consent(
  server: Pick<TestServer, 'origin' | 'accountId'>,
  visitor: Visitor,
  path: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<Answer> {
  const page = await visitor.open(path);
  assert.equal(page.status, 200, page.text);
  const { scope: _, ...hidden } = hiddenFields(page.text);
  const fields = new URLSearchParams({ ...hidden, decision, account: server.accountId });
  for (const [, scope = ''] of page.text.matchAll(/name="scope"\s+value="([^"]*)"/g)) {
    fields.append('scope', scope);
  }
  return postRaw(server, '/oauth2/consent', fields, visitor);
}

/** Sends a form in which fields may repeat. */
export function postRaw(
  server: Pick<TestServer, 'origin'>,
  path: string,
  fields: URLSearchParams,
  visitor?: Visitor,
): Promise<Answer> {
  const cookie = [...(visitor?.cookies ?? [])].map(([name, value]) => `${name}=${value}`);
  return request('POST', server.origin + path, {
    body: fields.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(cookie.length > 0 && { cookie: cookie.join('; ') }),
    },
  });
}
