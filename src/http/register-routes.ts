import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isPreflight, preflightHeaders } from './cors.ts';
import { isNotModified } from './entity-tags.ts';
import { successEnvelope } from './envelope.ts';
import { ApiError, apiError, httpErrors } from './errors.ts';
import { isLongList, serializeLongList } from './long-lists.ts';
import { replaceNullMembers } from './null-members.ts';
import {
  type ReadOnlyMembers,
  type RecordShape,
  checkRecord,
  recordEtag,
  takeReadOnly,
} from './record.ts';
import {
  type AnyRoute,
  type BodyFaults,
  NO_CONTENT,
  type RawBytes,
  type RequestFacts,
} from './route.ts';
import {
  type AccessDescription,
  fastifySchema,
  isConditional,
  mayHaveBody,
} from './route-schema.ts';
import {
  invalidBodyError,
  isLargeBody,
  malformedBodyError,
  validatorCompiler,
} from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    bodyFaults?: BodyFaults;
  }
}

/** The authentication and authorization of the server, as the HTTP layer uses it. */
export interface AccessControl<Principal, Access> {
  /**
   * Authenticates the client and checks its permission for the route.
   * @param setHeaders adds headers, in lower case, to every response
   * @throws ApiError if the request is not allowed
   */
  authorize(
    request: RequestFacts,
    access: Access,
    params: Readonly<Record<string, string>>,
    setHeaders: (headers: Record<string, string>) => void,
  ): Promise<Principal>;
  /**
   * Checks an allowed request again after its body has arrived. Rate limits do not count it.
   * @throws ApiError if the client has lost its permission
   */
  reauthorize(
    request: RequestFacts,
    access: Access,
    params: Readonly<Record<string, string>>,
  ): Promise<Principal>;
  /** Called when the operation itself refuses the client for a missing permission. */
  refused(
    principal: Principal,
    request: RequestFacts,
    params: Readonly<Record<string, string>>,
    refusal: ApiError,
  ): Promise<void>;
  /**
   * Returns true if OAuth clients can call the route. Pages of other origins use no other routes.
   */
  isForApplications(access: Access): boolean;
  /** Describes the requirements of a route, for the API reference. */
  describe(access: Access): AccessDescription;
}

export function requestFacts(request: FastifyRequest): RequestFacts {
  const { id, method, ip, headers } = request;
  const [path = ''] = request.url.split('?', 1);
  return { id, method, path, query: request.url.slice(path.length + 1), ip, headers };
}

/** Turns route declarations into Fastify routes. */
export function registerRoutes<Principal, Access>(
  app: FastifyInstance,
  routes: readonly AnyRoute<never, Access>[],
  accessControl: AccessControl<Principal, Access>,
): void {
  for (const route of routes) registerRoute(app, route, accessControl);
  refuseOtherMethods(app, routes, accessControl);
}

type PathParams = Readonly<Record<string, string>>;

/** The sender of an allowed request. */
interface Caller<Principal> {
  facts: RequestFacts;
  principal: Principal;
}

/**
 * Brings a body into the form that the schema describes: without read-only members, and with defaults for `null`.
 * @returns the read-only members
 */
function prepareBody<Access>(route: AnyRoute<never, Access>, body: unknown): ReadOnlyMembers {
  const { method, record, body: schema } = route;
  if (schema === undefined) return {};
  const isChange = method === 'PUT' || method === 'PATCH';
  const taken = record !== undefined && isChange ? takeReadOnly(record, body) : {};
  replaceNullMembers(schema, body, method === 'PATCH');
  return taken;
}

/** The result of the operation is a record. DELETE returns what no longer exists. */
function showsRecord<Access>(
  route: AnyRoute<never, Access>,
): route is AnyRoute<never, Access> & { record: RecordShape } {
  return route.record !== undefined && route.method !== 'DELETE';
}

function isUnchanged({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag');
  return isNotModified(headers['if-none-match'], typeof etag === 'string' ? etag : undefined);
}

function registerRoute<Principal, Access>(
  app: FastifyInstance,
  route: AnyRoute<never, Access>,
  accessControl: AccessControl<Principal, Access>,
): void {
  const callers = new WeakMap<FastifyRequest, Caller<Principal>>();
  const callerOf = (request: FastifyRequest): Caller<Principal> => {
    const caller = callers.get(request);
    if (caller === undefined) throw new Error(`${route.operationId} is not checked before it runs`);
    return caller;
  };
  const readOnly = new WeakMap<FastifyRequest, ReadOnlyMembers>();
  const { access, bodyFaults } = route;
  const itemSchema = Type.IsArray(route.result) ? route.result.items : undefined;
  if (route.body !== undefined && bodyFaults === undefined) {
    throw new Error(`${route.operationId} has a body but no bodyFaults`);
  }
  app.route({
    method: route.method,
    url: route.path,
    schema: fastifySchema(route, accessControl.describe(access)),
    validatorCompiler: validatorCompiler(bodyFaults),
    // The response also names the further faults of the body.
    attachValidation: route.furtherBodyFaults !== undefined,
    config: bodyFaults === undefined ? {} : { bodyFaults },
    async onRequest(request, reply) {
      const facts = requestFacts(request);
      const setHeaders = (headers: Record<string, string>): void => void reply.headers(headers);
      const params = request.params as PathParams;
      const principal = await accessControl.authorize(facts, access, params, setHeaders);
      callers.set(request, { facts, principal });
    },
    // Each hook costs a promise for every request.
    ...(mayHaveBody(route) && {
      async preValidation(request: FastifyRequest) {
        const { facts } = callerOf(request);
        const params = request.params as PathParams;
        const principal = await accessControl.reauthorize(facts, access, params);
        callers.set(request, { facts, principal });
        if (isBodyLacking(route, request)) {
          throw malformedBodyError('body is missing', bodyFaults);
        }
        readOnly.set(request, prepareBody(route, request.body));
      },
      async preHandler(request: FastifyRequest) {
        if (request.validationError === undefined) return;
        throw await completeRefusal(route, request, request.validationError as FastifyError);
      },
    }),
    async handler(request, reply) {
      const given = readOnly.get(request) ?? {};
      const answer = await operate(route, request, { ...callerOf(request), given }, accessControl);
      if (answer === NO_CONTENT) return reply.code(204).send();
      if (answer.raw !== undefined) return sendRaw(reply, answer.raw);
      if (answer.headers !== undefined) reply.headers(answer.headers);
      const { result } = answer;
      if (showsRecord(route)) reply.header('etag', recordEtag(route.record, result as object));
      if (isConditional(route) && isUnchanged(request, reply)) return reply.code(304).send();
      const envelope = successEnvelope(result, answer.resultInfo, answer.messages);
      if (itemSchema === undefined || !isLongList(result)) return envelope;
      reply.type('application/json; charset=utf-8');
      return reply.send(serializeLongList(reply, envelope, result, itemSchema));
    },
  });
}

/** Runs the operation, and reports its own refusals to the access control. */
async function operate<Principal, Access>(
  route: AnyRoute<never, Access>,
  request: FastifyRequest,
  { facts, principal, given }: Caller<Principal> & { given: ReadOnlyMembers },
  accessControl: AccessControl<Principal, Access>,
): Promise<Awaited<ReturnType<typeof route.handler>>> {
  try {
    return await route.handler({
      principal: principal as never,
      params: request.params as never,
      query: request.query as never,
      body: request.body as never,
      request: facts,
      checkRecord(stored) {
        if (route.record === undefined) throw new Error(`${route.operationId} has no record`);
        const asked = { ifMatch: facts.headers['if-match'], given };
        checkRecord(route.record, asked, stored, route.bodyFaults?.invalid);
      },
    });
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) {
      await accessControl.refused(principal, facts, request.params as PathParams, error);
    }
    throw error;
  }
}

// RFC 9110 section 8.3.1; parameters as they come.
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:[ \t]*;[\x20-\x7e]*)?$/;

/** Sends bytes of a third party so that no browser shows them as a page of this server. */
function sendRaw(reply: FastifyReply, { body, contentType }: RawBytes): FastifyReply {
  const isSound = contentType !== null && MEDIA_TYPE.test(contentType);
  reply.headers({
    'content-type': isSound ? contentType : 'application/octet-stream',
    'content-disposition': 'attachment',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

function isBodyLacking<Access>(route: AnyRoute<never, Access>, { body }: FastifyRequest): boolean {
  if (route.body === undefined) return false;
  return body === null || (body === undefined && route.bodyOptional !== true);
}

/** Returns the error for a request that does not match its schemas, with the faults that the domain finds. */
async function completeRefusal<Access>(
  route: AnyRoute<never, Access>,
  request: FastifyRequest,
  refusal: FastifyError,
): Promise<Error> {
  const { validation, validationContext } = refusal;
  const { bodyFaults } = route;
  if (validation === undefined || validationContext !== 'body' || bodyFaults === undefined) {
    return refusal;
  }
  // The search for more faults takes longer for a larger body.
  if (isLargeBody(request.body)) return invalidBodyError(validation, bodyFaults);
  const params = request.params as never;
  const further = await route.furtherBodyFaults?.({ params, body: request.body });
  return invalidBodyError(validation, bodyFaults, further);
}

/** Answers other methods of a known path with 405 and the allowed methods. */
function refuseOtherMethods<Principal, Access>(
  app: FastifyInstance,
  routes: readonly AnyRoute<never, Access>[],
  accessControl: AccessControl<Principal, Access>,
): void {
  const paths = [...Map.groupBy(routes, (route) => route.path)].map(([url, group]) => {
    const methods = methodsOf(group);
    const forPages = methodsOf(
      group.filter(({ access }) => accessControl.isForApplications(access)),
    );
    const headers = { allow: methods.join(', ') };
    return {
      url,
      methods,
      async refuse(request: FastifyRequest, reply: FastifyReply) {
        if (!isPreflight(request, forPages)) {
          throw apiError(httpErrors.methodNotAllowed, { headers });
        }
        const { origin, 'access-control-request-headers': wanted } = request.headers;
        return reply
          .code(204)
          .headers(preflightHeaders(origin, forPages, wanted))
          .send();
      },
    };
  });
  app.otherMethods.declare(app, paths);
}

/** Fastify answers HEAD for each GET. */
function methodsOf<Access>(routes: readonly AnyRoute<never, Access>[]): string[] {
  const methods: string[] = routes.map(({ method }) => method);
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}
