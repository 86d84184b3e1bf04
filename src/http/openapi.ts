import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyError, FastifyInstance, FastifyReply, FastifySchema } from 'fastify';
import { FailureSchema } from './envelope.ts';
import { ApiError, notFound } from './errors.ts';
import { ProblemSchema } from './problem-json.ts';

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

/**
 * Adds the failures that a route declares to its documented responses. They are kept away from
 * Fastify, which would compile a serialiser for each status of each route: all have the same shape.
 */
function documentFailures(schema: FastifySchema & { failures?: Record<string, string> }) {
  const { failures = {}, ...documented } = schema;
  const content = {
    'application/json': { schema: { $ref: '#/components/schemas/Failure' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  };
  const responses = Object.entries(failures).map(([status, description]) => [
    status,
    { description, content },
  ]);
  return {
    ...documented,
    response: { ...(schema.response as object), ...Object.fromEntries(responses) },
  };
}

// By server. To make the text takes longer than one request may hold up all others: once must do.
const documents = new WeakMap<object, string>();

function sendDocument(app: FastifyInstance, reply: FastifyReply): FastifyReply {
  const text = documents.get(app.server) ?? JSON.stringify(app.swagger());
  documents.set(app.server, text);
  return reply.type('application/json; charset=utf-8').send(text);
}

/** Collects the declarations of all routes that are registered after it into an OpenAPI 3.1 document. */
export async function addOpenApi(app: FastifyInstance, info: OpenApiInfo): Promise<void> {
  const issuer = info.serverUrl.replace(/\/$/, '');
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: info.title,
        version: info.version,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: info.serverUrl }],
      components: {
        securitySchemes: {
          apiToken: { type: 'http', scheme: 'bearer', description: 'An API token' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: info.sessionCookie,
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
                scopes: { ...info.scopes },
              },
            },
          },
        },
        schemas: { Failure: FailureSchema, Problem: ProblemSchema },
      },
      security: [{ apiToken: [] }, { session: [] }],
    },
    transform: ({ schema, url }) => ({
      schema: schema?.hide === true ? schema : documentFailures(schema),
      url,
    }),
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    sendDocument(app, reply),
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
      if (url === `${DOCS_PATH}/json`) return sendDocument(app, reply);
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
