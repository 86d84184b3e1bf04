import type { FastifySchema } from 'fastify';
import { successSchema } from './envelope.ts';
import { type ErrorDefinition, httpErrors } from './errors.ts';
import type { AnyRoute } from './route.ts';

/** The requirements of a route on its caller, for the API reference. */
export interface AccessDescription {
  /** In words. */
  needs: string;
  /**
   * The kinds of credential that will do, as the OpenAPI document names them, each with the scopes
   * that it takes; none: no credential.
   */
  schemes: Readonly<Record<string, readonly string[]>>;
}

/** Returns the schemas of a route for Fastify and for the OpenAPI document. */
export function fastifySchema<Access>(
  route: AnyRoute<never, Access>,
  { needs, schemes }: AccessDescription,
): FastifySchema {
  const description = [route.description, `Requires: ${needs}.`].filter(Boolean).join('\n\n');
  const schema: FastifySchema & Record<string, unknown> = {
    operationId: route.operationId,
    summary: route.summary,
    description,
    tags: [route.section],
    security: Object.entries(schemes).map(([scheme, scopes]) => ({ [scheme]: [...scopes] })),
    response: successResponse(route),
    failures: describeFailures(route, Object.keys(schemes).length > 0),
    preconditions: preconditionsOf(route),
  };
  if (route.params !== undefined) schema.params = route.params;
  if (route.query !== undefined) schema.querystring = route.query;
  if (route.body !== undefined) {
    // Fastify validates a missing body too; `null` stands for it.
    schema.body =
      route.bodyOptional === true ? { anyOf: [route.body, { type: 'null' }] } : route.body;
  }
  return schema;
}

/** Returns true if the response to GET has an ETag, so that it answers `If-None-Match`. */
export function isConditional<Access>({
  method,
  record,
  hasEtag,
}: AnyRoute<never, Access>): boolean {
  return method === 'GET' && (record !== undefined || hasEtag === true);
}

/** The header of a request that the ETag of its record decides about (RFC 9110 section 13.1), for the API reference. */
export type Precondition = 'if-match' | 'if-none-match';

function preconditionsOf<Access>(route: AnyRoute<never, Access>): Precondition[] {
  if (isConditional(route)) return ['if-none-match'];
  const hasIfMatch =
    changesRecord(route) ||
    route.errors?.some(({ status }) => status === httpErrors.preconditionFailed.status) === true;
  return hasIfMatch ? ['if-match'] : [];
}

function changesRecord<Access>({ method, record }: AnyRoute<never, Access>): boolean {
  return record !== undefined && method !== 'GET' && method !== 'POST';
}

const ETAG_HEADER = {
  etag: {
    type: 'string',
    description: 'Version of the record, for `If-Match` and `If-None-Match`',
  },
};

function successResponse<Access>(route: AnyRoute<never, Access>) {
  if (route.raw !== undefined) {
    const content = { 'application/json': { schema: {} }, '*/*': { schema: { type: 'string' } } };
    return { 200: { description: route.raw, content } };
  }
  if (route.result === undefined) return { 204: { type: 'null', description: 'Done' } };
  const schema = successSchema(route.result, route.paging ?? 'none', route.resultInfo);
  return {
    200: {
      ...schema,
      description: 'Success',
      ...((isConditional(route) || (route.record !== undefined && route.method !== 'DELETE')) && {
        headers: ETAG_HEADER,
      }),
    },
    ...(isConditional(route) && { 304: { type: 'null', description: 'Not modified' } }),
  };
}

/** For the reference: every status that the route refuses with, and its codes in words. */
function describeFailures<Access>(
  route: AnyRoute<never, Access>,
  needsCredential: boolean,
): Record<string, string> {
  const refusals = refusalsOf(route, needsCredential);
  const errors = new Set<ErrorDefinition>([...refusals, ...(route.errors ?? [])]);
  const byStatus = Map.groupBy(errors, (error) => error.status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      group.map(({ code, message }) => `${code} ${message}`).join(' · '),
    ]),
  );
}

/** The refusals of the HTTP layer before the operation begins. */
function refusalsOf<Access>(
  route: AnyRoute<never, Access>,
  needsCredential: boolean,
): ErrorDefinition[] {
  const refusals = [
    httpErrors.malformedAuthorization,
    httpErrors.unauthenticated,
    httpErrors.forbidden,
    httpErrors.rateLimited,
  ];
  if (route.params !== undefined) refusals.push(httpErrors.notFound);
  if (changesRecord(route)) refusals.push(httpErrors.preconditionFailed);
  if (route.query !== undefined) refusals.push(httpErrors.invalidParameter);
  if (mayHaveBody(route)) refusals.push(httpErrors.bodyTooLarge, httpErrors.notJson);
  if (route.bodyFaults !== undefined) {
    const { malformed, invalid, unknown } = route.bodyFaults;
    refusals.push(malformed, invalid, unknown);
  } else if (mayHaveBody(route)) refusals.push(httpErrors.malformedJson);
  if (route.method === 'POST' && needsCredential) {
    refusals.push(httpErrors.invalidIdempotencyKey, httpErrors.idempotencyKeyReused);
  }
  return refusals;
}

/**
 * Returns true if the server waits for the body of a request, even if the operation ignores it. A slow sender could use
 * a credential after its revocation.
 */
export function mayHaveBody<Access>({ method }: AnyRoute<never, Access>): boolean {
  return method !== 'GET';
}
