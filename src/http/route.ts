import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject, TSchema } from 'typebox';
import type { Message, Paging, ResultInfo } from './envelope.ts';
import type { ErrorDefinition, ErrorEntry } from './errors.ts';
import type { RecordShape } from './record.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The facts of a request besides its content. */
export interface RequestFacts {
  /** UUIDv7, also in `x-request-id` and in the access log. */
  id: string;
  method: string;
  /** Path without the query. */
  path: string;
  /** The query as sent, without the question mark, for parameters whose order matters. */
  query: string;
  ip: string;
  headers: IncomingHttpHeaders;
}

/** The result of a handler. The HTTP layer adds the envelope. */
export interface Reply<T> {
  result: T;
  resultInfo?: ResultInfo;
  messages?: Message[];
  headers?: Record<string, string | string[]>;
  /** Sent instead of an envelope: see {@link Route.raw}. */
  raw?: RawBytes;
}

/** Stored bytes from a third party. */
export interface RawBytes {
  body: Uint8Array;
  /** The media type as received; null: unknown. */
  contentType: string | null;
}

/** A response without a body: status 204. */
export const NO_CONTENT = Symbol('204 No Content');

/** The errors of a domain for invalid bodies. */
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

/** A request whose body does not match the schema. */
export interface FaultContext<Params extends TSchema | undefined> {
  params: StaticOf<Params>;
  body: unknown;
}

/**
 * One operation of the management API. This declaration defines validation, static types, the permission check, the
 * serializer of the response and the OpenAPI document.
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
  /** The required permission. The server checks it before it reads the content of the request. */
  access: Access;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The body is optional. */
  bodyOptional?: boolean;
  /** The errors for an invalid body. Required for a route with a body. */
  bodyFaults?: BodyFaults;
  /**
   * Returns the faults that the schema cannot express, so that one response names all faults. Called only for a body that
   * does not match the schema, with any JSON value. For other bodies, the handler finds these faults.
   */
  furtherBodyFaults?(context: FaultContext<Params>): Promise<ErrorEntry[]>;
  /**
   * The operation reads, creates, changes or deletes this kind of record. Its response has an `ETag`, PUT and PATCH
   * accept the unchanged response of GET, and PUT, PATCH and DELETE accept `If-Match`.
   */
  record?: RecordShape;
  /** The handler of GET returns an `ETag` header itself. */
  hasEtag?: true;
  /** Schema of `result`. Omitted for a response without a body (204) or with a raw body. */
  result?: Result;
  /** A description of the raw body that the response has instead of an envelope. */
  raw?: string;
  paging?: Paging;
  /** Members of `result_info` besides those of the page. */
  resultInfo?: Readonly<Record<string, TSchema>>;
  /** Domain errors of the operation, besides those of the HTTP layer. */
  errors?: readonly ErrorDefinition[];
  handler(
    context: RequestContext<Principal, Params, Query, Body>,
  ): Promise<Reply<Static<Result>> | typeof NO_CONTENT>;
}

/** A route of any shape, for lists of routes. */
export interface AnyRoute<Principal, Access> extends Omit<
  Route<Principal, Access>,
  'handler' | 'furtherBodyFaults'
> {
  furtherBodyFaults?(context: FaultContext<never>): Promise<ErrorEntry[]>;
  handler(
    context: RequestContext<Principal, never, never, never>,
  ): Promise<Reply<unknown> | typeof NO_CONTENT>;
}

/** Returns a function that declares routes for one kind of principal. It only sets the types. */
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
