import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import { startSession } from '../../src/iam/sessions/start-session.ts';
import { csrfTokenOf } from '../../src/iam/sessions/session-cookie.ts';
import type { ManualClock } from './manual-clock.ts';
import { type SessionHeaders, createPerson, signInAs } from './people.ts';
import { type Answer, type TestServer } from './server.ts';

/** How long an app shows a code. */
export const STEP_MS = 30_000;

/** A person with an app. */
export interface Enrolled {
  userId: string;
  email: string;
  /** Complete. */
  session: SessionHeaders;
  /** Base32, as in the app. */
  secret: string;
  recoveryCodes: string[];
}

/** A request with the cookies of a person. */
export function callAs(
  server: TestServer,
  session: SessionHeaders,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return server.call(method, path, {
    token: null,
    headers: session,
    ...(body === undefined ? {} : { body }),
  });
}

/** What the app shows at a time. */
export function codeAt(secret: string, timeMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: timeMs });
}

/** A code that the app does not show about that time. */
export function wrongCodeAt(secret: string, timeMs: number): string {
  const near = [-2, -1, 0, 1, 2].map((stepsOff) => codeAt(secret, timeMs + stepsOff * STEP_MS));
  const code = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (candidate) => !near.includes(candidate),
  );
  assert.ok(code);
  return code;
}

/** A new person who has set up an app; the clock stands in a step whose code is unused. */
export async function enrol(server: TestServer, clock: ManualClock): Promise<Enrolled> {
  const { userId, email } = await createPerson(server, { accountId: server.accountId });
  const session = await signInAs(server, userId, clock);
  const { secret } = (await callAs(server, session, 'POST', '/user/totp')).json.result;
  const code = codeAt(secret, clock.now());
  const confirmed = await callAs(server, session, 'PUT', '/user/totp', { code });
  assert.equal(confirmed.status, 200, confirmed.text);
  clock.advance(STEP_MS);
  return { userId, email, session, secret, recoveryCodes: confirmed.json.result.recovery_codes };
}

/** Begins a session for which the second factor is missing. */
export async function signInHalfway(
  server: TestServer,
  userId: string,
  clock: ManualClock,
): Promise<SessionHeaders> {
  const request = {
    id: 'test',
    method: 'POST',
    path: '/',
    query: '',
    ip: '127.0.0.1',
    headers: {},
  };
  const secret = await server.app.database.transaction((tx) =>
    startSession(tx, { clock }, { userId, methods: ['password'], request, isComplete: false }),
  );
  return { cookie: `latchkey_session=${secret}`, 'x-csrf-token': csrfTokenOf(secret) };
}

/** The session that an answer has set. */
export function sessionOf(answer: Answer): SessionHeaders {
  const cookies = answer.headers.getSetCookie();
  const value = (name: string): string => {
    const cookie = cookies.find((candidate) => candidate.startsWith(`${name}=`));
    assert.ok(cookie, `no ${name} in ${cookies.join('\n')}`);
    return cookie.slice(name.length + 1).split(';')[0] ?? '';
  };
  return {
    cookie: `latchkey_session=${value('latchkey_session')}`,
    'x-csrf-token': value('latchkey_csrf'),
  };
}
