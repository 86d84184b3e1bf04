import { type KeyObject, createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type CryptoKey,
  type JWK,
  compactVerify,
  decodeProtectedHeader,
  errors,
  importJWK,
} from 'jose';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey, Sealer } from '../../lib/sealing.ts';
import type { Database } from '../../storage/database.ts';
import { InvalidatedCache } from '../../storage/invalidated-cache.ts';
import type { SigningAlg } from '../clients/client-store.ts';
import { createSigningKey, signingKeySealer } from './create-signing-key.ts';
import {
  ALL_KEYS,
  SIGNING_KEY_TOPIC,
  type SigningKey,
  insertSigningKey,
  listPublishedKeys,
  pickSigningKey,
  signingKeysAnnouncement,
} from './signing-key-store.ts';

/** With what ID tokens are signed, the default first. */
export const SIGNING_ALGS: readonly SigningAlg[] = ['ES256', 'RS256'];

const signAside = promisify(sign);

/** A key with its halves ready for use. They are imported when they are first used, and once. */
interface LoadedKey extends SigningKey {
  privateKey?: KeyObject;
  publicKey?: Promise<CryptoKey>;
}

interface KeyRing {
  /** In the order in which they sign. */
  keys: LoadedKey[];
}

/**
 * The keys that ID tokens are signed with, from memory where that may be trusted. A key is made when
 * it is first needed. Two nodes that make one at the same time publish both, and use the same one
 * as soon as they know of each other; the other is retired like any old key, see retire-keys.ts.
 */
export class SigningKeys {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #masterKey: MasterKey;
  readonly #sealer: Sealer;
  readonly #cache: InvalidatedCache<KeyRing>;
  /** What the last ring held: keys never change, so what was imported is good for the next ring. */
  #known = new Map<string, LoadedKey>();
  // However many wait for a first key, this node makes one.
  readonly #creating = new Map<SigningAlg, Promise<void>>();

  constructor(database: Database, clock: Clock, masterKey: MasterKey) {
    this.#database = database;
    this.#clock = clock;
    this.#masterKey = masterKey;
    this.#sealer = signingKeySealer(masterKey);
    this.#cache = new InvalidatedCache(database.invalidation, clock, SIGNING_KEY_TOPIC, 1);
  }

  /**
   * Returns a signed JWT (compact) with these claims, and `typ`, `kid` and `alg` in its header. Never call it within a
   * transaction: it may have to make the first key.
   */
  async sign(alg: SigningAlg, claims: Record<string, unknown>, typ = 'JWT'): Promise<string> {
    const key = await this.#signingKey(alg);
    key.privateKey ??= createPrivateKey({
      key: JSON.parse(this.#sealer.open(key.sealedPrivateJwk, key.id)) as JWK,
      format: 'jwk',
    });
    const input = `${encode({ alg, kid: key.id, typ })}.${encode(claims)}`;
    return `${input}.${(await signWith(key.privateKey, alg, input)).toString('base64url')}`;
  }

  /** The claims of a JWT that was signed by one of our published keys, expired or not; undefined otherwise. */
  async verify(jwt: string): Promise<Record<string, unknown> | undefined> {
    const kid = keyIdOf(jwt);
    const key = (await this.#published()).find(({ id }) => id === kid);
    if (key === undefined) return undefined;
    key.publicKey ??= this.#import(key.alg, key.publicJwk);
    const publicKey = await key.publicKey;
    try {
      // The key's own algorithm, whatever the header says (RFC 8725 section 3.1).
      const { payload } = await compactVerify(jwt, publicKey, { algorithms: [key.alg] });
      return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  /**
   * The public keys, for `jwks.json`. All algorithms have one from then on: clients keep what they
   * read, and must not meet a key that is made only later.
   */
  async publicKeys(): Promise<JWK[]> {
    for (const alg of SIGNING_ALGS) await this.#signingKey(alg);
    return (await this.#published()).map(({ publicJwk }) => publicJwk);
  }

  async #signingKey(alg: SigningAlg): Promise<LoadedKey> {
    const key = pickSigningKey(await this.#published(), alg, this.#clock.now());
    if (key !== undefined) return key;
    await this.#create(alg);
    const created = pickSigningKey(await this.#published(), alg, this.#clock.now());
    if (created === undefined) throw new Error(`there is no ${alg} key after one was made`);
    return created;
  }

  async #published(): Promise<LoadedKey[]> {
    const { keys = [] } = (await this.#cache.get(ALL_KEYS, () => this.#load())) ?? {};
    const nowMs = this.#clock.now();
    return keys.filter(({ publishedUntilMs = Infinity }) => publishedUntilMs > nowMs);
  }

  async #load(): Promise<KeyRing> {
    const stored = await listPublishedKeys(this.#database.read, this.#clock.now());
    const keys = stored.map((key): LoadedKey => ({ ...this.#known.get(key.id), ...key }));
    this.#known = new Map(keys.map((key) => [key.id, key]));
    return { keys };
  }

  #create(alg: SigningAlg): Promise<void> {
    const running = this.#creating.get(alg);
    if (running !== undefined) return running;
    const creating = this.#createFirst(alg).finally(() => this.#creating.delete(alg));
    this.#creating.set(alg, creating);
    return creating;
  }

  async #createFirst(alg: SigningAlg): Promise<void> {
    const nowMs = this.#clock.now();
    const key = await createSigningKey(this.#masterKey, alg, nowMs, nowMs);
    await this.#database.transaction(async (tx, announce) => {
      // Another node may have been faster. Where it is not seen yet, there are two keys for a while.
      const others = await listPublishedKeys(tx, nowMs);
      if (pickSigningKey(others, alg, nowMs) === undefined) await insertSigningKey(tx, key);
      announce(signingKeysAnnouncement);
    });
  }

  async #import(alg: SigningAlg, jwk: JWK): Promise<CryptoKey> {
    return (await importJWK(jwk, alg)) as CryptoKey;
  }
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/**
 * The signature of RFC 7518 section 3. With ES256 it takes 30 µs, less than to hand it to another
 * thread, and every redemption of a code waits for one; with RS256 twenty times that, hence aside.
 */
async function signWith(key: KeyObject, alg: SigningAlg, input: string): Promise<Buffer> {
  const bytes = Buffer.from(input);
  if (alg === 'RS256') return signAside('sha256', bytes, key);
  return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
}

/** What the header of a JWT names, if it is one. */
function keyIdOf(jwt: string): string | undefined {
  try {
    return decodeProtectedHeader(jwt).kid;
  } catch {
    return undefined;
  }
}
