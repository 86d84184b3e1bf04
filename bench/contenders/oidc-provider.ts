import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { exportJWK, generateKeyPair } from 'jose';
import { type Codes, REDIRECT_URI, SCOPE, createPkce } from '../codes.ts';

/**
 * `oidc-provider` with the codes that are to be redeemed, as many as `CODES` says, written to `CODES_FILE`
 * before it listens. It keeps what it issues in a Map, or with `DATABASE_FILE` in SQLite, where it is on disk
 * before the answer goes out, as ours is.
 */

interface AdapterPayload extends Record<string, unknown> {
  grantId?: string;
}

/** What the library asks of a store. */
interface Adapter {
  upsert(id: string, payload: AdapterPayload): Promise<void>;
  find(id: string): Promise<AdapterPayload | undefined>;
  findByUserCode(): Promise<undefined>;
  findByUid(): Promise<undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Of the library, which has no types of its own, what is used here. */
interface Library {
  Provider: new (
    issuer: string,
    configuration: object,
  ) => {
    Client: { find(id: string): Promise<object | undefined> };
    Grant: new (payload: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    AuthorizationCode: new (payload: object) => { save(): Promise<string> };
    listen(port: number, host: string): void;
  };
}

class MapAdapter implements Adapter {
  static readonly #rows = new Map<string, AdapterPayload>();
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  #key(id: string): string {
    return `${this.#model}:${id}`;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    MapAdapter.#rows.set(this.#key(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return MapAdapter.#rows.get(this.#key(id));
  }

  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const row = MapAdapter.#rows.get(this.#key(id));
    if (row !== undefined) row.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    MapAdapter.#rows.delete(this.#key(id));
  }

  async revokeByGrantId(): Promise<void> {}
}

/** One table for all models, each statement prepared once and committed by itself. */
function sqliteAdapter(file: string): new (model: string) => Adapter {
  const database = new DatabaseSync(file);
  database.exec(
    `pragma journal_mode = wal; pragma synchronous = full;
     create table rows (id text primary key, payload text not null, grant_id text) without rowid;
     create index rows_grant on rows (grant_id) where grant_id is not null;`,
  );
  const upsert = database.prepare(
    'insert into rows values (?, ?, ?) on conflict (id) do update set payload = excluded.payload',
  );
  const find = database.prepare('select payload from rows where id = ?');
  const consume = database.prepare(
    "update rows set payload = json_set(payload, '$.consumed', ?) where id = ?",
  );
  const destroy = database.prepare('delete from rows where id = ?');
  const revoke = database.prepare('delete from rows where grant_id = ?');
  return class implements Adapter {
    readonly #model: string;

    constructor(model: string) {
      this.#model = model;
    }

    #key(id: string): string {
      return `${this.#model}:${id}`;
    }

    async upsert(id: string, payload: AdapterPayload): Promise<void> {
      upsert.run(this.#key(id), JSON.stringify(payload), payload.grantId ?? null);
    }

    async find(id: string): Promise<AdapterPayload | undefined> {
      const row = find.get(this.#key(id));
      return row && (JSON.parse(row.payload as string) as AdapterPayload);
    }

    async findByUserCode(): Promise<undefined> {}
    async findByUid(): Promise<undefined> {}

    async consume(id: string): Promise<void> {
      consume.run(Math.floor(Date.now() / 1_000), this.#key(id));
    }

    async destroy(id: string): Promise<void> {
      destroy.run(this.#key(id));
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      revoke.run(grantId);
    }
  };
}

const library = 'oidc-provider';
const { Provider } = (await import(library)) as Library;
const { PORT, CODES_FILE = '', DATABASE_FILE } = process.env;
const clientId = 'bench';
const clientSecret = 'bench-secret-of-a-decent-length';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const provider = new Provider(`http://127.0.0.1:${PORT}`, {
  adapter: DATABASE_FILE === undefined ? MapAdapter : sqliteAdapter(DATABASE_FILE),
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'bench' }] },
  cookies: { keys: ['bench'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_context: object, accountId: string) => ({
    accountId,
    claims: () => ({ sub: accountId }),
  }),
  issueRefreshToken: () => true,
  ttl: {
    AuthorizationCode: 600,
    AccessToken: 3_600,
    IdToken: 3_600,
    Grant: 86_400,
    RefreshToken: 86_400,
  },
});

const { codeVerifier, codeChallenge } = createPkce();
const client = await provider.Client.find(clientId);
if (client === undefined) throw new Error('there is no client');
const codes: string[] = [];
for (let i = 0; i < Number(process.env.CODES); i++) {
  const accountId = `user-${i % 100}`;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(SCOPE);
  const code = new provider.AuthorizationCode({
    accountId,
    client,
    grantId: await grant.save(),
    redirectUri: REDIRECT_URI,
    scope: SCOPE,
    authTime: Math.floor(Date.now() / 1_000),
    codeChallenge,
    codeChallengeMethod: 'S256',
    nonce: 'nonce',
    gty: 'authorization_code',
  });
  codes.push(await code.save());
}
const prepared: Codes = { clientId, clientSecret, redirectUri: REDIRECT_URI, codeVerifier, codes };
writeFileSync(CODES_FILE, JSON.stringify(prepared));
provider.listen(Number(PORT), '127.0.0.1');
