import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

export interface OpenApiInfo {
  title: string;
  version: string;
  /** Where the paths of the document begin. */
  serverUrl: string;
}

/** Collects the declarations of all routes that are registered after it into an OpenAPI 3.1 document. */
export async function addOpenApi(app: FastifyInstance, info: OpenApiInfo): Promise<void> {
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
        },
      },
      security: [{ apiToken: [] }],
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    reply.type('application/json; charset=utf-8');
    return JSON.stringify(app.swagger());
  });
}

/** The API reference at `/docs`, served from our own files. */
export async function addDocs(app: FastifyInstance, title: string): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onRequest', async (_request, reply) => {
      reply.removeHeader('cache-control');
      reply.header(
        'content-security-policy',
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
      );
    });
    await docs.register(fastifySwaggerUi, {
      routePrefix: '/docs',
      uiConfig: { deepLinking: true, persistAuthorization: false },
      theme: { title },
    });
  });
}
