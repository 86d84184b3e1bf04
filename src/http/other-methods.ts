import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { METHODS, methodsBesides } from './methods.ts';

declare module 'fastify' {
  interface FastifyInstance {
    otherMethods: OtherMethods;
  }
}

/** A path, and what it answers to the methods that it does not have. */
export interface KnownPath {
  /** As Fastify takes it, of whole parts: static ones, `:name`, and `*` as the last. */
  url: string;
  /** That have a route. */
  methods: readonly string[];
  /** Sends the refusal, or throws it, before the body is read. */
  refuse: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

const PARAMETER = Symbol('parameter');
const WILDCARD = Symbol('wildcard');

type Part = string | typeof PARAMETER | typeof WILDCARD;

interface Pattern extends KnownPath {
  parts: readonly Part[];
  /** Of two patterns that match the same path, the router takes the one whose rank sorts first. */
  rank: string;
}

/**
 * Which paths there are, asked when a request has found no route: a method that the path does not have
 * answers 405, not 404. A table, since with routes that refuse there would be twice as many, and to
 * register them would take a fifth of each start.
 *
 * It matches as Fastify's router does: at the first part in which two patterns differ, the static one
 * goes before the parameter, and that before the wildcard.
 */
export class OtherMethods {
  readonly #maxPartLength: number;
  readonly #patterns: Pattern[] = [];

  /** @param maxPartLength in characters; a longer part names nothing */
  constructor(maxPartLength: number) {
    this.#maxPartLength = maxPartLength;
  }

  /**
   * Declares paths. Where the router would take a path for that of a broader pattern which has the
   * method (`DELETE /things/verify` for `DELETE /things/:id`), a route of its own refuses.
   * @param app where their routes are; its prefix is theirs
   */
  declare(app: FastifyInstance, paths: readonly KnownPath[]): void {
    const added = paths.map((path) => ({ ...path, ...parsePattern(app.prefix + path.url) }));
    this.#patterns.push(...added);
    this.#patterns.sort((a, b) => (a.rank < b.rank ? -1 : Number(a.rank > b.rank)));
    for (const { url, methods, refuse, parts, rank } of added) {
      const broader = this.#patterns.filter(
        (other) => other.rank > rank && haveCommonPath(other.parts, parts),
      );
      const method = methodsBesides(methods).filter((other) =>
        broader.some((pattern) => pattern.methods.includes(other)),
      );
      if (method.length === 0) continue;
      const schema = { hide: true };
      app.route({
        method,
        url,
        exposeHeadRoute: false,
        schema,
        onRequest: refuse,
        handler: refuse,
      });
    }
  }

  /** The path of a request that has no route; undefined when there is no such path. */
  find({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): KnownPath | undefined {
    if (!METHODS.some((known) => known === method)) return undefined;
    const parts = partsOf(url);
    if (parts === undefined) return undefined;
    if (parts.some(({ length }) => length > this.#maxPartLength)) return undefined;
    return this.#patterns.find((pattern) => haveCommonPath(pattern.parts, parts));
  }
}

function parsePattern(url: string): Pick<Pattern, 'parts' | 'rank'> {
  const parts = url.split('/').map((part) => {
    if (part === '*') return WILDCARD;
    return part.startsWith(':') ? PARAMETER : part;
  });
  return { parts, rank: parts.map(rankOf).join('') };
}

function rankOf(part: Part): string {
  if (part === WILDCARD) return '2';
  return part === PARAMETER ? '1' : '0';
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The parts of a request target, which may have an origin in front (RFC 9112 section 3.2.2). An encoded
 * slash separates no parts; a target with a broken percent escape has none.
 */
function partsOf(url: string): string[] | undefined {
  const [path = ''] = url.replace(ORIGIN, '').split(/[?#]/, 1);
  try {
    return decodeURI(path).split('/');
  } catch {
    return undefined;
  }
}

/** Whether some path matches both. What has neither parameters nor a wildcard matches but itself. */
function haveCommonPath(a: readonly Part[], b: readonly Part[]): boolean {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]];
    if (one === undefined || other === undefined) return false;
    if (one === WILDCARD || other === WILDCARD) return true;
    if (one !== other && one !== PARAMETER && other !== PARAMETER) return false;
  }
  return true;
}
