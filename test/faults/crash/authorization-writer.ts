import assert from 'node:assert/strict';
import { digestSecret } from '../../../src/lib/secrets.ts';
import { REFRESH_GRACE_MS } from '../../../src/oauth/lifetimes.ts';
import { authPath, codeOf } from '../../oauth/authorizing.ts';
import { REDIRECT_URI, basic } from '../../support/authorizations.ts';
import { eventually } from '../../support/eventually.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import type { Answer, Json } from '../../support/server.ts';
import { type Load, NoAnswer, Tally, type Writer } from './load.ts';

// A grant holds a hundred.
const ROOM = 12;
// The grace, less what the check itself may take on a busy machine.
const SURE_GRACE_MS = REFRESH_GRACE_MS - 10_000;

/** An authorization, as its client knows it. */
interface Family {
  code: string;
  /** All but the last were used. */
  refreshTokens: string[];
  accessToken: string;
}

type Doubt =
  | { step: 'redeem'; code: string }
  | { step: 'refresh' | 'revoke'; family: Family; atMs: number };

/** What the writer needs to obtain codes. */
export interface CodeSource {
  client: Json;
  /** Of a person who has allowed the client what it asks for. */
  cookie: string;
  grantId: string;
}

/** Obtains codes, redeems them, refreshes, and revokes. */
export class AuthorizationWriter implements Writer {
  readonly name = 'codes, refresh tokens and revocations';
  readonly tally = new Tally();
  readonly lanes = 4;
  readonly #source: CodeSource;
  #alive: Family[] = [];
  #ended: Family[] = [];
  #doubts: Doubt[] = [];

  constructor(source: CodeSource) {
    this.#source = source;
  }

  async write(load: Load): Promise<void> {
    const { client, cookie } = this.#source;
    const redirect = await load.call('GET', authPath(client), { token: null, headers: { cookie } });
    const code = codeOf(redirect);
    const family = await this.#orDoubt({ step: 'redeem', code }, () => this.#redeem(load, code));
    for (let times = load.chance.between(0, 2); times > 0; times--) {
      const doubt: Doubt = { step: 'refresh', family, atMs: Date.now() };
      await this.#orDoubt(doubt, () => this.#refresh(load, family));
    }
    this.#alive.push(family);
    if (this.#alive.length <= ROOM && load.chance.fraction() < 0.3) return;
    const oldest = this.#alive.shift() ?? family;
    await this.#orDoubt({ step: 'revoke', family: oldest, atMs: Date.now() }, async () => {
      await this.#revoke(load, oldest);
      this.#ended.push(oldest);
    });
  }

  async #orDoubt<T>(doubt: Doubt, write: () => Promise<T>): Promise<T> {
    try {
      const result = await write();
      this.tally.acknowledged++;
      return result;
    } catch (error) {
      if (error instanceof NoAnswer) {
        if (error.wasSent) {
          this.tally.inDoubt++;
          this.#doubts.push(doubt);
        } else if (doubt.step !== 'redeem') this.#alive.push(doubt.family);
      }
      throw error;
    }
  }

  /**
   * Has a code redeemed and a refresh token used without reading the answers: the server dies between
   * the commit and them, as far as the client can tell.
   */
  async loseAnswers(load: Load): Promise<void> {
    const { client, cookie } = this.#source;
    const obtain = async (): Promise<string> =>
      codeOf(await load.call('GET', authPath(client), { token: null, headers: { cookie } }));
    const code = await obtain();
    const family = await this.#redeem(load, await obtain());
    this.#sendBlindly(load, {
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT_URI,
      code,
    });
    this.#sendBlindly(load, { grant_type: 'refresh_token', refresh_token: lastOf(family) });
    await eventually('the code is used', () => isCodeUsed(load, code));
    await eventually('the token is used', () => isTokenUsed(load, lastOf(family)));
    this.#doubts.push({ step: 'redeem', code }, { step: 'refresh', family, atMs: Date.now() });
    this.tally.acknowledged++;
    this.tally.inDoubt += 2;
  }

  #sendBlindly({ server }: Load, fields: Record<string, string>): void {
    const { client_id: id, client_secret: secret } = this.#source.client;
    const body = new URLSearchParams(fields).toString();
    const connection = new RawConnection(server.origin);
    connection.socket.on('error', () => {});
    connection.write(
      [
        'POST /oauth2/token HTTP/1.1',
        'host: latchkey',
        'content-type: application/x-www-form-urlencoded',
        `authorization: ${basic(id, secret)}`,
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    );
  }

  #post(load: Load, path: string, fields: Record<string, string>): Promise<Answer> {
    const { client_id: id, client_secret: secret } = this.#source.client;
    return load.call('POST', `/oauth2/${path}`, {
      token: null,
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basic(id, secret),
      },
    });
  }

  #tryCode(load: Load, code: string): Promise<Answer> {
    const fields = { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code };
    return this.#post(load, 'token', fields);
  }

  async #redeem(load: Load, code: string): Promise<Family> {
    const { status, text, json } = await this.#tryCode(load, code);
    assert.equal(status, 200, text);
    return { code, refreshTokens: [json.refresh_token], accessToken: json.access_token };
  }

  #tryToken(load: Load, token: string): Promise<Answer> {
    return this.#post(load, 'token', { grant_type: 'refresh_token', refresh_token: token });
  }

  async #refresh(load: Load, family: Family): Promise<void> {
    const { status, text, json } = await this.#tryToken(load, lastOf(family));
    assert.equal(status, 200, text);
    family.refreshTokens.push(json.refresh_token);
    family.accessToken = json.access_token;
  }

  async #revoke(load: Load, family: Family): Promise<void> {
    const answer = await this.#post(load, 'revoke', { token: lastOf(family) });
    assert.equal(answer.status, 200, answer.text);
    load.personAudit.acknowledge(answer);
  }

  async settle(load: Load): Promise<void> {
    for (const doubt of this.#doubts.splice(0)) {
      if (doubt.step === 'redeem') await this.#settleRedemption(load, doubt.code);
      else if (doubt.step === 'refresh') await this.#settleRefresh(load, doubt.family, doubt.atMs);
      else await this.#settleRevocation(load, doubt.family);
    }
    for (const { accessToken } of this.#alive) assert.ok(await this.#isActive(load, accessToken));
    for (const family of this.#ended.splice(0).slice(-5)) {
      assert.ok(!(await this.#isActive(load, family.accessToken)), 'a revoked token works');
      assertRefused(await this.#tryToken(load, lastOf(family)));
    }
    await this.#assertUsedOnce(load);
  }

  async #settleRedemption(load: Load, code: string): Promise<void> {
    const isUsed = await isCodeUsed(load, code);
    if (isUsed) this.tally.made++;
    else {
      // The minute for which a code is good may be over on a busy machine.
      const answer = await this.#tryCode(load, code);
      if (answer.status !== 200) return assertRefused(answer);
    }
    // Now it was used for sure, and what came of it ends with this.
    await this.#assertReuseRefused(load, () => this.#tryCode(load, code));
  }

  async #settleRefresh(load: Load, family: Family, atMs: number): Promise<void> {
    const isUsed = await isTokenUsed(load, lastOf(family));
    if (isUsed) this.tally.made++;
    // Within the grace the client has lost nothing, whether or not it was used.
    if (isUsed && Date.now() - atMs > SURE_GRACE_MS) return;
    await this.#refresh(load, family);
    this.#alive.push(family);
  }

  async #settleRevocation(load: Load, family: Family): Promise<void> {
    if (await this.#isActive(load, family.accessToken)) {
      this.#alive.push(family);
      return;
    }
    this.tally.made++;
    load.personAudit.wasMade(this.#source.grantId);
    this.#ended.push(family);
  }

  /** What was used before the crash does not work again, and ends what came of it. */
  async #assertUsedOnce(load: Load): Promise<void> {
    const [first, second] = this.#alive.splice(0, 2);
    if (first !== undefined) {
      await this.#assertReuseRefused(load, () => this.#tryCode(load, first.code));
      this.#ended.push(first);
    }
    if (second === undefined) return;
    await this.#refresh(load, second);
    await this.#refresh(load, second);
    const [used = ''] = second.refreshTokens;
    await this.#assertReuseRefused(load, () => this.#tryToken(load, used));
    this.#ended.push(second);
  }

  async #assertReuseRefused(load: Load, use: () => Promise<Answer>): Promise<void> {
    const answer = await use();
    assertRefused(answer);
    load.personAudit.acknowledge(answer);
  }

  async #isActive(load: Load, accessToken: string): Promise<boolean> {
    const { status, text, json } = await this.#post(load, 'introspect', { token: accessToken });
    assert.equal(status, 200, text);
    return json.active;
  }
}

function isCodeUsed(load: Load, code: string): Promise<boolean> {
  return load.reading(async (db) => {
    const family = await db
      .selectFrom('oauth_families')
      .select('code_used_at')
      .where('code_digest', '=', digestSecret(code))
      .executeTakeFirst();
    assert.ok(family, 'a code that was issued is lost');
    return family.code_used_at !== null;
  });
}

function isTokenUsed(load: Load, token: string): Promise<boolean> {
  return load.reading(async (db) => {
    const stored = await db
      .selectFrom('oauth_refresh_tokens')
      .select('used_at')
      .where('digest', '=', digestSecret(token))
      .executeTakeFirst();
    assert.ok(stored, 'a refresh token that was answered is lost');
    return stored.used_at !== null;
  });
}

function lastOf({ refreshTokens }: Family): string {
  return refreshTokens.at(-1) ?? '';
}

function assertRefused({ status, text, json }: Answer): void {
  assert.deepEqual([status, json?.error], [400, 'invalid_grant'], text);
}
