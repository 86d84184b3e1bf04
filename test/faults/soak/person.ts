import assert from 'node:assert/strict';
import { clientBody } from '../../oauth/client-bodies.ts';
import { REDIRECT_URI, basic, createPkce } from '../../support/authorizations.ts';
import type { Json } from '../../support/server.ts';
import { hiddenFields } from '../../support/visitor.ts';
import type { Received, SoakClient } from './client.ts';

export const SOAK_EMAIL = 'soak@example.com';
export const SOAK_PASSWORD = 'a password for hours';

const SCOPES = 'openid offline_access tags.read';
const group = 'OAuth';
const FORM = 'application/x-www-form-urlencoded';

interface Session {
  cookie: string;
  csrf: string;
}

/** A person with a browser, and an application that the person lets act in their name. */
export class SoakPerson {
  readonly #client: SoakClient;
  readonly #session: Session;
  readonly #app: Json;
  /** Files that the page of the dashboard loads. */
  #files: string[] = [];

  private constructor(client: SoakClient, session: Session, app: Json) {
    this.#client = client;
    this.#session = session;
    this.#app = app;
  }

  /** Signs in, registers the application, and consents once, so that it need not be asked again. */
  static async create(client: SoakClient, accountId: string): Promise<SoakPerson> {
    const session = await signIn(client);
    const { json } = await client.send({
      group: 'management',
      method: 'POST',
      path: `/client/v4/accounts/${accountId}/oauth_clients`,
      body: clientBody({
        grant_types: ['authorization_code', 'refresh_token'],
        scopes: ['openid', 'offline_access', 'tags.read'],
      }),
    });
    const person = new SoakPerson(client, session, json.result);
    await person.#consent(accountId);
    const { text } = await person.#open('/');
    person.#files = [...text.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    return person;
  }

  #open(path: string, status = 200): Promise<Received> {
    const headers = { cookie: this.#session.cookie, 'x-csrf-token': this.#session.csrf };
    return this.#client.send({ group, path, token: null, headers, status });
  }

  #authPath(challenge: string): string {
    const query = new URLSearchParams({
      client_id: this.#app.client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: SCOPES,
      state: 'soak',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    return `/oauth2/auth?${query.toString()}`;
  }

  async #consent(accountId: string): Promise<void> {
    const { headers } = await this.#open(this.#authPath(createPkce().challenge), 303);
    const page = await this.#open(String(headers.location));
    const { scope: _, ...hidden } = hiddenFields(page.text);
    const fields = new URLSearchParams({ ...hidden, decision: 'approve', account: accountId });
    for (const [, scope = ''] of page.text.matchAll(/name="scope"\s+value="([^"]*)"/g)) {
      fields.append('scope', scope);
    }
    await this.#client.send({
      group,
      method: 'POST',
      path: '/oauth2/consent',
      token: null,
      headers: { cookie: this.#session.cookie, 'content-type': FORM },
      body: fields.toString(),
      status: 303,
    });
  }

  /** From the code to the end of what came out of it, as an application goes about it. */
  async authorize(): Promise<void> {
    const { verifier, challenge } = createPkce();
    const { headers } = await this.#open(this.#authPath(challenge), 303);
    const code = new URL(String(headers.location)).searchParams.get('code') ?? '';
    const redemption = { code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    const first = await this.#token({ grant_type: 'authorization_code', ...redemption });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const { access_token: token, refresh_token: next } = await this.#token(refresh);
    await this.#client.send({ group, path: '/oauth2/userinfo', token });
    const told = await this.#post('/oauth2/introspect', { token });
    assert.equal(told.json.active, true);
    await this.#post('/oauth2/revoke', { token: next });
    await this.#client.send({ group, path: '/oauth2/userinfo', token, status: 401 });
  }

  async #token(fields: Record<string, string>): Promise<Json> {
    return (await this.#post('/oauth2/token', fields)).json;
  }

  #post(path: string, fields: Record<string, string>): Promise<Received> {
    return this.#client.send({
      group,
      method: 'POST',
      path,
      token: null,
      headers: {
        'content-type': FORM,
        authorization: basic(this.#app.client_id, this.#app.client_secret),
      },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** In another browser. */
  async signInAndOut(): Promise<void> {
    const { cookie, csrf } = await signIn(this.#client);
    await this.#client.send({
      group,
      method: 'DELETE',
      path: '/client/v4/user/sessions/current',
      token: null,
      headers: { cookie, 'x-csrf-token': csrf },
    });
  }

  /** Its page, and a file of it. */
  async openDashboard(): Promise<void> {
    await this.#open('/');
    const file = this.#files[Math.floor(Math.random() * this.#files.length)];
    if (file !== undefined) await this.#open(file);
    await this.#open('/client/v4/user');
  }
}

async function signIn(client: SoakClient): Promise<Session> {
  const { headers, json } = await client.send({
    group,
    method: 'POST',
    path: '/client/v4/user/sessions',
    token: null,
    body: { email: SOAK_EMAIL, password: SOAK_PASSWORD },
  });
  const cookies = [headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
  return { cookie: cookies.join('; '), csrf: json.result.csrf_token };
}
