import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
} from 'fastify';
import { StaticDocument } from './document.ts';
import { FailedPreconditionSchema, FailureSchema } from './envelope.ts';
import { ApiError, httpErrors, notFound } from './errors.ts';
import { showNullMembers } from './null-members.ts';
import { ProblemSchema } from './problem-json.ts';
import { OwnOperations } from './openapi-operations.ts';
import { type OpenApiDocument, finishDocument } from './openapi-document.ts';
import type { Precondition } from './route-schema.ts';

export interface OpenApiInfo {
  title: string;
  version: string;
  /** Where the paths of the document begin. */
  serverUrl: string;
  /** Name of the cookie that stands for a sign-in. */
  sessionCookie: string;
  /** The scopes that OAuth clients can ask for, in words. */
  scopes: Readonly<Record<string, string>>;
}

/** The declarations of a route for the document alone. */
type RouteSchema = FastifySchema & {
  failures?: Record<string, string>;
  preconditions?: readonly Precondition[];
};

const PRECONDITIONS: Record<Precondition, string> = {
  'if-match':
    'An ETag, a list of ETags or `*`. If none is the current one, nothing changes, and the response is 412 with the current record.',
  'if-none-match': 'An ETag or a list of ETags. If one is the current one, the response is 304.',
};

/**
 * Adds the parts of a route to the document that Fastify does not process: failures, for which it would compile a
 * serializer each, preconditions, and `null` for optional members, which the server replaces before it validates a body.
 */
function documentRoute(schema: RouteSchema, isPatch: boolean): FastifySchema {
  const { failures = {}, preconditions = [], body, ...documented } = schema;
  const responses = Object.entries(failures).map(([status, description]) => [
    status,
    { description, content: failureContent(status) },
  ]);
  const headers = Object.fromEntries(
    preconditions.map((name) => [name, { type: 'string', description: PRECONDITIONS[name] }]),
  );
  return {
    ...documented,
    ...(body === undefined ? {} : { body: showNullMembers(body as object, isPatch) }),
    ...(preconditions.length > 0 && { headers: { type: 'object', properties: headers } }),
    response: { ...(schema.response as object), ...Object.fromEntries(responses) },
  };
}

function failureContent(status: string) {
  const isPrecondition = status === String(httpErrors.preconditionFailed.status);
  const failure = isPrecondition ? 'FailedPrecondition' : 'Failure';
  return {
    'application/json': { schema: { $ref: `#/components/schemas/${failure}` } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
}

// By server, because creating the text delays all other requests.
const documents = new WeakMap<object, StaticDocument>();

function sendDocument(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const document = documents.get(app.server) ?? new StaticDocument(JSON.stringify(app.swagger()));
  documents.set(app.server, document);
  return document.send(request, reply, 'application/json; charset=utf-8');
}

const DESCRIPTION =
  'Accounts, members, API tokens, OAuth clients, resource tags and an AI gateway. Each operation names the permission that it requires.';

function securitySchemes({ serverUrl, sessionCookie, scopes }: OpenApiInfo) {
  const issuer = serverUrl.replace(/\/$/, '');
  return {
    apiToken: { type: 'http', scheme: 'bearer', description: 'An API token' },
    gatewayToken: {
      type: 'apiKey',
      in: 'header',
      name: 'cf-aig-authorization',
      description: '`Bearer` and an API token or a token of the gateway',
    },
    clientSecret: {
      type: 'http',
      scheme: 'basic',
      description: 'The id and the secret of an OAuth client (RFC 6749 section 2.3.1)',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description:
        'The session of a signed-in user, with its CSRF token in the header x-csrf-token',
    },
    oauth2: {
      type: 'oauth2',
      description: 'An access token of an OAuth client that acts for a user',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/oauth2/auth`,
          tokenUrl: `${issuer}/oauth2/token`,
          refreshUrl: `${issuer}/oauth2/token`,
          scopes: { ...scopes },
        },
      },
    },
  } as const;
}

/** Collects the declarations of all routes that are registered after it into an OpenAPI 3.1 document. */
export async function addOpenApi(app: FastifyInstance, info: OpenApiInfo): Promise<void> {
  let own = new OwnOperations();
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: info.title,
        version: info.version,
        description: DESCRIPTION,
        contact: { name: 'The operator of this server' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: info.serverUrl }],
      components: {
        securitySchemes: securitySchemes(info),
        schemas: {
          Failure: FailureSchema,
          FailedPrecondition: FailedPreconditionSchema,
          Problem: ProblemSchema,
        },
      },
      security: [{ apiToken: [] }, { session: [] }],
    },
    transform: ({ schema, url, route: { method } }) => {
      own.add(schema, url, [method].flat());
      return {
        schema: schema?.hide === true ? schema : documentRoute(schema, method === 'PATCH'),
        url,
      };
    },
    transformObject(transformed) {
      const document = (transformed as { openapiObject: OpenApiDocument }).openapiObject;
      own.addTo(document);
      own = new OwnOperations();
      return finishDocument(document);
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, (request, reply) =>
    sendDocument(app, request, reply),
  );
}

const DOCS_PATH = '/docs';

/** The API reference at `/docs`, served from our own files. */
export async function addDocs(app: FastifyInstance, title: string): Promise<void> {
  await app.register(async (docs) => {
    // A path that leads out of its files, or is written in an odd way, names nothing.
    docs.setErrorHandler((error: FastifyError | ApiError, request) => {
      if (error instanceof ApiError || (error.statusCode ?? 500) >= 500) throw error;
      throw notFound(request.url.split('?', 1)[0] ?? '');
    });
    docs.addHook('onRequest', async (request, reply) => {
      const { url } = request.routeOptions;
      // The plugin would make both anew for each request.
      if (url === `${DOCS_PATH}/yaml`) throw notFound(url);
      if (url === `${DOCS_PATH}/json`) return sendDocument(app, request, reply);
      reply.removeHeader('cache-control');
      reply.header(
        'content-security-policy',
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
      );
    });
    await docs.register(fastifySwaggerUi, {
      routePrefix: DOCS_PATH,
      // The plain layout: no bar for loading other people's documents.
      uiConfig: { deepLinking: true, persistAuthorization: false, layout: 'BaseLayout' },
      theme: { title },
    });
  });
}
