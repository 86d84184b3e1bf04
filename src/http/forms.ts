import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Has a scope take the bodies of HTML forms and nothing else. */
export function takeFormsOnly(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxBytes },
    (_request, text: string, done) => done(null, new URLSearchParams(text)),
  );
}

/** What the form of a request holds; nothing when it has none. */
export function formOf({ body }: FastifyRequest): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams();
}

/** The query of a request as it was sent: with repeated names, and nothing coerced. */
export function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
}
