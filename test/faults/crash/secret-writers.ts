import assert from 'node:assert/strict';
import { basic } from '../../support/authorizations.ts';
import type { Json } from '../../support/server.ts';
import { type Load, NoAnswer, Tally, type Writer } from './load.ts';

/** Renews the secret of one client, and deletes the old one, again and again. */
export class SecretRotator implements Writer {
  readonly name = 'client secret rotations';
  readonly tally = new Tally();
  readonly lanes = 1;
  readonly #clientId: string;
  /** That work, oldest first; undefined: nobody was told. */
  #secrets: (string | undefined)[];
  #deleted: string | undefined;
  /** What was asked for and not answered. */
  #doubt: 'rotate' | 'delete' | undefined;

  /** @param client as it was created */
  constructor(client: Json) {
    this.#clientId = client.client_id;
    this.#secrets = [client.client_secret];
  }

  get #path(): string {
    return `/oauth_clients/${this.#clientId}/rotate_secret`;
  }

  async write(load: Load): Promise<void> {
    const step = this.#secrets.length === 1 ? 'rotate' : 'delete';
    try {
      const answer = await load.change(step === 'rotate' ? 'POST' : 'DELETE', this.#path);
      this.#note(step, answer.json.result.client_secret);
      this.tally.acknowledged++;
    } catch (error) {
      if (error instanceof NoAnswer && error.wasSent) {
        this.tally.inDoubt++;
        this.#doubt = step;
      }
      throw error;
    }
  }

  #note(step: 'rotate' | 'delete', secret?: string): void {
    if (step === 'rotate') this.#secrets.push(secret);
    else this.#deleted = this.#secrets.shift();
  }

  async settle(load: Load): Promise<void> {
    const client = await load.result('GET', `/oauth_clients/${this.#clientId}`);
    const { length: count } = client.secrets;
    if (this.#doubt !== undefined && count !== this.#secrets.length) {
      this.tally.made++;
      load.audit.wasMade(this.#clientId);
      this.#note(this.#doubt);
    }
    this.#doubt = undefined;
    assert.equal(count, this.#secrets.length, 'not the secrets that were answered');
    for (const secret of this.#secrets) {
      if (secret !== undefined) assert.ok(await this.#works(load, secret), 'a secret is lost');
    }
    if (this.#deleted !== undefined) assert.ok(!(await this.#works(load, this.#deleted)));
  }

  /** To end a token that there is not changes nothing, and tells whether the secret is right. */
  async #works(load: Load, secret: string): Promise<boolean> {
    const { status, text } = await load.call('POST', '/oauth2/revoke', {
      token: null,
      body: 'token=none',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: basic(this.#clientId, secret),
      },
    });
    assert.ok(status === 200 || status === 401, text);
    return status === 200;
  }
}

/** Gives one API token a new value, again and again. */
export class TokenRoller implements Writer {
  readonly name = 'API token rolls';
  readonly tally = new Tally();
  readonly lanes = 1;
  readonly #tokenId: string;
  #value: string;
  #before: string | undefined;
  #isInDoubt = false;

  /** @param token as it was created */
  constructor(token: Json) {
    this.#tokenId = token.id;
    this.#value = token.value;
  }

  async write(load: Load): Promise<void> {
    try {
      const answer = await load.change('PUT', `/tokens/${this.#tokenId}/value`, { body: {} });
      this.#before = this.#value;
      this.#value = answer.json.result;
      this.tally.acknowledged++;
    } catch (error) {
      if (error instanceof NoAnswer && error.wasSent) {
        this.tally.inDoubt++;
        this.#isInDoubt = true;
      }
      throw error;
    }
  }

  async settle(load: Load): Promise<void> {
    if (this.#before !== undefined) assert.ok(!(await works(load, this.#before)));
    if (!(await works(load, this.#value))) {
      assert.ok(this.#isInDoubt, 'the value that was answered does not work');
      this.tally.made++;
      load.audit.wasMade(this.#tokenId);
      // Nobody was told the value that works now.
      await this.write(load);
    }
    this.#isInDoubt = false;
  }
}

async function works(load: Load, token: string): Promise<boolean> {
  const { status, text } = await load.call('GET', '/tokens/verify', { token });
  assert.ok(status === 200 || status === 401, text);
  return status === 200;
}
