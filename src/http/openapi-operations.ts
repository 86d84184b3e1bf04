import type { FastifySchema } from 'fastify';

/** An operation of the OpenAPI document (OpenAPI 3.1.0 section 4.8.10). */
export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  /** Empty: no credential. */
  security: Record<string, string[]>[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
}

/** The operations at one path, by lower-case method. */
export type OpenApiPath = Partial<
  Record<'get' | 'post' | 'put' | 'patch' | 'delete', OpenApiOperation>
>;

/** A route whose requests Fastify does not validate describes itself. */
interface OwnDescription {
  /** Default: the path of the route. */
  path?: string;
  operations: OpenApiPath;
  /** Components that the operations refer to. */
  schemas?: Readonly<Record<string, object>>;
}

/** The schema of a route that describes itself in the OpenAPI document. */
export interface SelfDescribed extends FastifySchema {
  hide: true;
  ownDescription: OwnDescription;
}

/**
 * Describes a route that validates its requests itself, such as those of the OAuth protocol and of the gateway.
 * @returns the schema of the route
 */
export function describeItself(ownDescription: OwnDescription): SelfDescribed {
  return { hide: true, ownDescription };
}

/** Parts of an OpenAPI document that this module completes. */
export interface OpenApiParts {
  paths?: Record<string, object>;
  components?: { schemas?: Record<string, object> };
  tags?: { name: string; description: string }[];
}

interface PlacedOperation {
  path: string;
  /** In lower case. */
  method: string;
  operation: OpenApiOperation;
}

/** Collects the operations of routes that describe themselves, and adds them to the document. */
export class OwnOperations {
  readonly #operations: PlacedOperation[] = [];
  readonly #schemas: Record<string, object> = {};

  /**
   * Adds the operations of one route.
   * @param schema of the route
   * @param url of the route, with parameters as `:name`
   * @param methods of the route
   */
  add(schema: FastifySchema | undefined, url: string, methods: readonly string[]): void {
    if (schema === undefined || !('ownDescription' in schema)) return;
    const { path, operations, schemas = {} } = (schema as SelfDescribed).ownDescription;
    for (const [method, operation] of Object.entries(operations)) {
      if (!methods.includes(method.toUpperCase())) continue;
      const place = path ?? url.replaceAll(/:(\w+)/g, '{$1}');
      this.#operations.push({ path: place, method, operation });
    }
    Object.assign(this.#schemas, schemas);
  }

  /** Adds the operations and their components to the document. */
  addTo(document: OpenApiParts): void {
    document.paths ??= {};
    for (const { path, method, operation } of this.#operations) {
      document.paths[path] = { ...document.paths[path], [method]: operation };
    }
    document.components = {
      ...document.components,
      schemas: { ...document.components?.schemas, ...this.#schemas },
    };
  }
}
