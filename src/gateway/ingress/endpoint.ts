import type { FastifyReply, FastifyRequest } from 'fastify';
import { READABLE_BY_EVERYBODY, corsHeaders } from '../../http/cors.ts';
import { parseBearer } from '../../iam/access/presented-credential.ts';
import { challengeOf } from '../../iam/credentials.ts';
import { isWellFormedSecret } from '../../lib/secrets.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import { GatewayError } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { AdmissionRequest, RequestTarget } from '../gateway-request.ts';
import { type AdmissionServices, admit } from './admit.ts';
import { type BodyBudget, isSmall } from './body-budget.ts';

/** Reads credential and target of a request to an endpoint. */
export interface EntryPoint {
  admissionRequest(request: FastifyRequest): AdmissionRequest;
  target(request: FastifyRequest): RequestTarget;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for the endpoints of the gateway. */
    entryPoint?: EntryPoint;
  }
}

type Params = Record<string, string>;

/** Returns the parameters in the path of a request. */
export const paramsOf = (request: FastifyRequest): Params => request.params as Params;

const UNKNOWN_PATH: RequestTarget = { entry: 'rest', operation: 'chat/completions' };

/** Returns the target of a request. For an unknown path, the target only determines the format of errors. */
export function targetOf(request: FastifyRequest): RequestTarget {
  return request.routeOptions.config.entryPoint?.target(request) ?? UNKNOWN_PATH;
}

/** Responds to an admitted request. */
export type Serve = (
  request: FastifyRequest,
  reply: FastifyReply,
  admitted: AdmittedCaller,
  body: Buffer,
) => unknown;

export interface Endpoint {
  entryPoint: EntryPoint;
  serve: Serve;
}

type Done = (error?: Error) => void;

const NO_BODY = Buffer.alloc(0);
const ORDINARY_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json; charset=utf-8',
]);

/** Returns the route options of an endpoint, whose requests are admitted before their bodies are read. */
export function endpointHooks(
  services: AdmissionServices,
  bodies: BodyBudget,
  { entryPoint, serve }: Endpoint,
) {
  const admissions = new WeakMap<FastifyRequest, AdmittedCaller>();
  /** Decodes a compressed body, unless it is forwarded byte for byte. */
  const serveDecoded: Serve = (request, reply, admitted, body) => {
    const { entry } = entryPoint.target(request);
    allowPage(request, reply, admitted, entry);
    const coding = codingOf(request);
    if (coding === undefined || body.length === 0 || entry === 'native') {
      return serve(request, reply, admitted, body);
    }
    return bodies.decode(body, coding, reply.raw).then((decoded) => {
      removeCoding(request);
      serve(request, reply, admitted, decoded);
    });
  };
  /** @returns false if Fastify is not to continue with the request */
  const begin = async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    // A listener that is attached later would make Node.js buffer the body first.
    const early = isOrdinary(request) && isSmall(request) ? bodies.read(request) : undefined;
    // The error is handled below, if the request is admitted.
    early?.catch(() => {});
    const admitted = await admitRequest(services, entryPoint, request);
    bodies.track(request, reply.raw);
    if (!isOrdinary(request)) {
      admissions.set(request, admitted);
      return true;
    }
    let body: Buffer;
    try {
      body = await (early ?? bodies.read(request));
    } catch (error) {
      reply.header('connection', 'close');
      throw error;
    }
    await serveDecoded(request, reply, admitted, body);
    return false;
  };
  const run = async (request: FastifyRequest, reply: FastifyReply, done: Done): Promise<void> => {
    try {
      if (await begin(request, reply)) done();
    } catch (error) {
      done(error as Error);
    }
  };
  return {
    config: { entryPoint },
    onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      void run(request, reply, done);
    },
    handler(request: FastifyRequest, reply: FastifyReply): unknown {
      const admitted = admissions.get(request);
      if (admitted === undefined) throw new Error('the request was not admitted');
      const body = Buffer.isBuffer(request.body) ? request.body : NO_BODY;
      return serveDecoded(request, reply, admitted, body);
    },
  };
}

async function admitRequest(
  services: AdmissionServices,
  entryPoint: EntryPoint,
  request: FastifyRequest,
): Promise<AdmittedCaller> {
  const admission = entryPoint.admissionRequest(request);
  try {
    return await admit(services, admission);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { credential } = admission;
    const { origin } = request.headers;
    throw withChallenge(error, entryPoint.target(request), { credential, origin });
  }
}

const INSUFFICIENT_SCOPE = 'Bearer error="insufficient_scope", scope="ai-gateway.run"';

interface Presented {
  /** The header that contains the credential. */
  credential: string | undefined;
  /** The header `Origin` of a page. */
  origin: string | undefined;
}

/**
 * Completes an error of the authentication with the challenge of the endpoint. Only the REST API names a missing scope (RFC
 * 6750 section 3.1): the gateway host has one error for every credential.
 * @param error from the authentication
 * @returns the error with the headers of the response
 */
function withChallenge(
  error: GatewayError,
  { entry }: RequestTarget,
  { credential, origin }: Presented,
): GatewayError {
  const bearer = parseBearer(credential);
  const token = typeof bearer === 'object' ? bearer.token : undefined;
  // Every page may read that its token has expired, because the server no longer knows the client of the token.
  const isOfClient = origin !== undefined && isWellFormedSecret(token ?? '', 'lkoat_');
  const headers = isOfClient ? READABLE_BY_EVERYBODY : {};
  const isRest = entry === 'rest' || entry === 'run';
  const lacksScope = error.status === 403;
  if (lacksScope && isRest) {
    return withHeaders(error, { ...headers, 'www-authenticate': INSUFFICIENT_SCOPE });
  }
  const shown = lacksScope ? new GatewayError(gatewayErrors.unauthorized) : error;
  if (shown.status !== 401) return withHeaders(shown, headers);
  const challenge = challengeOf(isRest ? token : undefined);
  return withHeaders(shown, { ...headers, 'www-authenticate': challenge });
}

function withHeaders(error: GatewayError, headers: Readonly<Record<string, string>>): GatewayError {
  Object.assign(error.headers, headers);
  return error;
}

/** Allows a page to read the response if its origin belongs to the OAuth client. Only on the REST API. */
function allowPage(
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
  { caller }: AdmittedCaller,
  entry: RequestTarget['entry'],
): void {
  const isRest = entry === 'rest' || entry === 'run';
  if (origin === undefined || !isRest || caller?.type !== 'oauth') return;
  const headers = corsHeaders(origin, caller.authorization.corsOrigins);
  reply.headers(headers);
  // The gateway writes most responses itself.
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value);
}

/** Returns the content coding of the body; undefined: none. */
function codingOf({ headers }: FastifyRequest): string | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  return coding === '' || coding === 'identity' ? undefined : coding;
}

/** Removes `content-encoding` after the body was decoded. */
function removeCoding({ headers, raw }: FastifyRequest): void {
  const { rawHeaders } = raw;
  const isCoding = (name = ''): boolean => name.toLowerCase() === 'content-encoding';
  delete headers['content-encoding'];
  raw.rawHeaders = rawHeaders.filter((_, index) => !isCoding(rawHeaders[index - (index % 2)]));
}

/**
 * Returns true for requests that need none of Fastify's parsers, only their body. Most requests to the gateway are such
 * requests, and bypass the hooks and parsers, which take longer than the gateway itself.
 */
function isOrdinary({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && ORDINARY_TYPES.has(headers['content-type'] ?? '');
}
