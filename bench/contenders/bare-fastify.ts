import { fastify } from 'fastify';

/** What a Node server does at best: one Fastify route with a fixed answer and a response schema. */
const record = {
  id: 'default',
  authentication: true,
  allow_stored_keys_unauthenticated: false,
  collect_logs: true,
  cache_invalidate_on_update: true,
  created_at: new Date(0).toISOString(),
  modified_at: new Date(0).toISOString(),
};
const app = fastify();
app.get(
  '/gateway',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            success: { type: 'boolean' },
            errors: { type: 'array', items: { type: 'object' } },
            messages: { type: 'array', items: { type: 'object' } },
            result: {
              type: 'object',
              properties: Object.fromEntries(
                Object.entries(record).map(([name, value]) => [name, { type: typeof value }]),
              ),
            },
          },
        },
      },
    },
  },
  async () => ({ success: true, errors: [], messages: [], result: record }),
);
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
