import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { Message, Paging, ResultInfo } from './envelope.ts';
import type { ErrorDefinition, ErrorEntry } from './errors.ts';
import type { RecordShape } from './record.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What is known of a request apart from its content. */
export interface RequestFacts {
  /** UUIDv7, also in `x-request-id` and in the access log. */
  id: string;
  method: string;
  /** Path without the query. */
  path: string;
  /** The query as it was sent, without the question mark: for what its order means something. */
  query: string;
  ip: string;
  headers: IncomingHttpHeaders;
}

/** What a handler answers; the HTTP layer puts it into the envelope. */
export interface Reply<T> {
  result: T;
  resultInfo?: ResultInfo;
  messages?: Message[];
  headers?: Record<string, string | string[]>;
  /** Sent instead of an envelope: see {@link Route.raw}. */
  raw?: RawBytes;
}

/** Bytes that were kept of somebody else. */
export interface RawBytes {
  body: Uint8Array;
  /** As it was given to us; null: not known. */
  contentType: string | null;
}

/** The answer without a body: status 204. */
export const NO_CONTENT = Symbol('204 No Content');

/** Which rows of a domain's table say that a body is at fault. */
export interface BodyFaults {
  /** Not JSON, or no body at all. */
  malformed: ErrorDefinition;
  /** A field is missing or has a wrong value. */
  invalid: ErrorDefinition;
  /** A field that the schema does not have. */
  unknown: ErrorDefinition;
  /** One entry with exactly the table's message, instead of one entry per fault with its pointer. */
  terse?: boolean;
}

type StaticOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined;

export interface RequestContext<
  Principal,
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
> {
  principal: Principal;
  params: StaticOf<Params>;
  query: StaticOf<Query>;
  body: StaticOf<Body>;
  request: RequestFacts;
  /**
   * Checks the request against the stored record, as responses show it: see {@link Route.record}. An operation that
   * changes or deletes a record calls it in its transaction, before it writes.
   * @throws ApiError 412 if `If-Match` does not list the ETag of the record, or 400 if a read-only member has another
   *   value
   */
  checkRecord(this: void, stored: object): void;
}

/** A request whose body was refused by the schema. */
export interface FaultContext<Params extends TSchema | undefined> {
  params: StaticOf<Params>;
  body: unknown;
}

/**
 * One operation of the management API. From this one declaration come validation, static types,
 * the permission check, the serialiser of the answer and the OpenAPI document.
 */
export interface Route<
  Principal,
  Access,
  Params extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Result extends TSchema = TSchema,
> {
  method: Method;
  /** Below the API root, with `:name` for parameters. */
  path: string;
  /** Unique name of the operation, verb first. */
  operationId: string;
  /** Section of the API reference. */
  section: string;
  summary: string;
  description?: string;
  /** What the caller must hold. Checked before anything of the request's content is read. */
  access: Access;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body may be left out. */
  bodyOptional?: boolean;
  /** How the faults of the body are told; a route with a body must say. */
  bodyFaults?: BodyFaults;
  /**
   * Faults of a body that its schema cannot tell. Asked only when the schema refuses the body, so
   * that one answer holds every fault; otherwise the handler finds them. The body may be anything.
   */
  furtherBodyFaults?(context: FaultContext<Params>): Promise<ErrorEntry[]>;
  /**
   * The operation reads, creates, changes or deletes this kind of record. Its response has an `ETag`, PUT and PATCH
   * accept the unchanged response of GET, and PUT, PATCH and DELETE accept `If-Match`.
   */
  record?: RecordShape;
  /** The handler of GET returns an `ETag` header itself. */
  hasEtag?: true;
  /** Schema of `result`; left out for an answer without body (204), and for one that is raw. */
  result?: Result;
  /** In words, what the bytes are that it answers with instead of an envelope. */
  raw?: string;
  paging?: Paging;
  /** What `result_info` tells besides the page. */
  resultInfo?: Readonly<Record<string, TSchema>>;
  /** Domain errors that the operation answers with, besides those of the HTTP layer. */
  errors?: readonly ErrorDefinition[];
  handler(
    context: RequestContext<Principal, Params, Query, Body>,
  ): Promise<Reply<Static<Result>> | typeof NO_CONTENT>;
}

/** A route of whatever shape, as lists of routes hold it. */
export interface AnyRoute<Principal, Access> extends Omit<
  Route<Principal, Access>,
  'handler' | 'furtherBodyFaults'
> {
  furtherBodyFaults?(context: FaultContext<never>): Promise<ErrorEntry[]>;
  handler(
    context: RequestContext<Principal, never, never, never>,
  ): Promise<Reply<unknown> | typeof NO_CONTENT>;
}

/** Makes the function that declares routes for one kind of principal; it only fixes the types. */
export function createRouteDefiner<Principal, Access>() {
  return function defineRoute<
    Params extends TObject | undefined = undefined,
    Query extends TObject | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    Result extends TSchema = TSchema,
  >(route: Route<Principal, Access, Params, Query, Body, Result>): AnyRoute<Principal, Access> {
    return route;
  };
}
