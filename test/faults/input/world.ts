import { type Draft, newDraft } from './draft.ts';
import { MODELS, PROVIDERS, knownTexts } from './known.ts';
import type { Operation } from './operations.ts';
import type { Random } from '../random.ts';
import { type KnownText, validValue } from './schema.ts';
import { ODD_TEXTS, oddText } from './values.ts';
import type { Json } from '../../support/server.ts';

type Headers = readonly (readonly [string, string])[];

/** Somebody who sends requests, with spare credentials: requests may well end the one in use. */
export interface Caller {
  name: string;
  /** The one in use comes last. */
  credentials: Headers[];
  /** A path that answers 200 while the credential in use is good. */
  probe: string;
}

/** What the set-up has made. */
export interface Facts {
  accountId: string;
  otherAccountId: string;
  callers: Caller[];
  /** Redirects are of the set-up's client. */
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  codes: string[];
  permissionGroups: string[];
  roles: string[];
  slugs: string[];
  /** Must be in no answer to a request that does not hold it itself. */
  secrets: string[];
}

const MAX_POOL = 40;
const ADDRESSES = 4_096;

/** What exists, as far as the sender knows: it learns from the answers. */
export class World {
  readonly facts: Facts;
  /** Ids by the path below which they are things, with their parameters unnamed. */
  readonly #pools = new Map<string, string[]>();
  readonly #cursors: string[] = [];
  readonly #etags: string[] = [];

  constructor(facts: Facts) {
    this.facts = facts;
  }

  /** A request of the operation that should be right. */
  validDraft(operation: Operation, random: Random): Draft {
    const { method, parameters } = operation;
    const known = this.#known(random, operation.path);
    const draft = newDraft(method, this.#fillPath(operation.path, random));
    const likelihood = random.pick([0, 0.2, 0.5]);
    for (const { name, in: place, schema, required } of parameters) {
      if (place !== 'query' || !(required || random.chance(likelihood))) continue;
      const value = validValue(schema, name, random, known);
      for (const one of [value].flat()) draft.query.push([name, encodeURIComponent(String(one))]);
    }
    if (operation.body !== undefined && random.chance(0.98)) {
      draft.json = validValue(operation.body, '', random, known);
      draft.headers.push(['content-type', 'application/json']);
    } else if (operation.form !== undefined) {
      draft.form = this.#fillForm(operation.form, random, known);
      draft.headers.push(['content-type', 'application/x-www-form-urlencoded']);
    }
    draft.headers.push(
      ...this.#callerHeaders(operation, random).map(
        ([name, value]) => [name, value] as [string, string],
      ),
    );
    if (operation.kind === 'gateway') draft.headers.push(...gatewayHeaders(random));
    if (random.chance(0.95)) {
      const address = random.below(ADDRESSES);
      draft.headers.push(['x-forwarded-for', `10.9.${address >> 8}.${address & 255}`]);
    }
    return draft;
  }

  #fillPath(path: string, random: Random): string {
    return path.replaceAll(/\{([^}]+)\}/g, (_all, name: string, offset: number) => {
      if (name === '*' || name === 'model') return random.pick(MODELS);
      if (name === 'rest')
        return random.pick([
          'chat/completions',
          'v1/messages',
          'models',
          'a/b?c=d',
          '',
          '..',
          'a//b',
          'model/a/converse',
          'v1beta/models/gemini:generateContent',
        ]);
      if (name === 'file')
        return random.pick([
          'index.js',
          'a/b.css',
          '..%2findex.html',
          '.env',
          'swagger-ui.css',
          '%2e%2e/%2e%2e/package.json',
        ]);
      if (random.chance(0.03))
        return encodeURIComponent(random.pick(ODD_TEXTS).toWellFormed()) || 'a';
      if (random.chance(0.02)) return random.id();
      if (name === 'provider') return random.pick(PROVIDERS);
      if (name === 'nothing') return random.text(random.between(1, 20));
      return encodeURIComponent(
        this.#known(random)(name) ?? this.#pooled(path.slice(0, offset - 1), random) ?? random.id(),
      );
    });
  }

  #fillForm(fields: readonly string[], random: Random, known: KnownText): [string, string][] {
    const likelihood = random.pick([0.3, 0.6, 1]);
    return fields
      .filter(
        (name) =>
          random.chance(likelihood) ||
          /^(client_id|grant_type|redirect_uri|response_type)$/.test(name),
      )
      .map((name) => [name, encodeURIComponent(known(name) ?? random.text(8))]);
  }

  #callerHeaders({ kind, form, path }: Operation, random: Random): Headers {
    const { callers, clientId, clientSecret } = this.facts;
    if (form?.includes('client_assertion') === true && random.chance(0.6)) {
      return [
        ['authorization', `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`],
      ];
    }
    const isPersonal =
      /^\/(client\/v4\/(user|memberships|accounts$)|oauth2|log|accounts|profile)/.test(path);
    const caller = random.chance(0.5) ? callers[isPersonal ? 1 : 0] : random.pick(callers);
    const headers = caller?.credentials.at(-1) ?? [];
    if (kind !== 'gateway') return headers;
    return headers.flatMap(([name, value]) =>
      name === 'authorization'
        ? ([
            [name, value],
            ['cf-aig-authorization', value],
          ] as const)
        : ([[name, value]] as const),
    );
  }

  #known(random: Random, path = ''): KnownText {
    const { facts } = this;
    const cursors = this.#cursors;
    const etags = this.#etags;
    return knownTexts({ facts, random, path, cursors, etags, anyId: () => this.#anyId(random) });
  }

  #pooled(path: string, random: Random): string | undefined {
    const pool = this.#pools.get(poolOf(path));
    return pool === undefined || pool.length === 0 ? undefined : random.pick(pool);
  }

  #anyId(random: Random): string {
    const pools = [...this.#pools.values()].filter(({ length }) => length > 0);
    return pools.length === 0 ? random.id() : random.pick(random.pick(pools));
  }

  /** An id, a cursor, a secret or an odd text: put where it does not belong. */
  someText(random: Random): string {
    switch (random.below(4)) {
      case 0:
        return this.#anyId(random);
      case 1:
        return this.#cursors.length > 0 ? random.pick(this.#cursors) : 'a';
      case 2:
        return random.pick(this.facts.secrets);
      default:
        return oddText(random);
    }
  }

  /** Remembers what an answer tells of what there is. */
  learn({ path }: Operation, json: Json, random: Random): void {
    const cursor: unknown = json?.result_info?.cursor;
    if (typeof cursor === 'string') remember(this.#cursors, cursor, random);
    const result: unknown = json?.result;
    if (typeof result !== 'object' || result === null) return;
    const etag: unknown = (result as Json).etag;
    if (typeof etag === 'string') remember(this.#etags, etag, random);
    if (path.endsWith('}')) return;
    const pool = this.#pools.get(poolOf(path)) ?? [];
    this.#pools.set(poolOf(path), pool);
    for (const item of [result].flat().slice(0, 5)) {
      const id: unknown = (item as Json)?.id ?? (item as Json)?.client_id;
      if (typeof id === 'string') remember(pool, id, random);
    }
  }
}

function poolOf(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '{}');
}

function remember(pool: string[], item: string, random: Random): void {
  if (pool.includes(item)) return;
  if (pool.length < MAX_POOL) pool.push(item);
  else pool[random.below(MAX_POOL)] = item;
}

/** Retries must not wait: nobody is served better by it here. */
function gatewayHeaders(random: Random): [string, string][] {
  const headers: [string, string][] = [['cf-aig-retry-delay', '0']];
  if (random.chance(0.5)) headers.push(['cf-aig-gateway-id', random.pick(['default', 'open'])]);
  return headers;
}
