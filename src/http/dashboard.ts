import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DASHBOARD_PATHS, type DashboardFacts, fillTemplate } from './dashboard-template.ts';
import { apiError, httpErrors, notFound } from './errors.ts';
import { requestFacts } from './register-routes.ts';
import type { RequestFacts } from './route.ts';
import { themeOf } from './theme.ts';

export interface DashboardOptions {
  /** Of the build: `index.html`, and below `dashboard/` the files that it loads. */
  directory: string;
  /** Asked for every page: some of it is known only once the server listens. */
  facts: () => DashboardFacts;
  /** Where a request is sent that comes from nobody who has signed in; undefined for the others. */
  signInPath: (request: RequestFacts) => string | undefined;
}

/** Where the build puts the files whose names change with their content. */
const FILES = 'dashboard';

const NONCE_BYTES = 18;

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>The dashboard is not built</title>
  </head>
  <body>
    <h1>The dashboard is not built</h1>
    <p>The operator of this server can build it with <code>npm run build</code> in the directory of the code.</p>
    <p>The API works without the dashboard: see <a href="/docs">its reference</a>.</p>
  </body>
</html>
`;

const METHODS = ['GET', 'HEAD'];

const ONLY_TO_READ = {
  methods: METHODS,
  async refuse(): Promise<never> {
    throw apiError(httpErrors.methodNotAllowed, { headers: { allow: METHODS.join(', ') } });
  },
};

/**
 * The web application for people: one page at each of its addresses, and its files. It is served as
 * `npm run build` made it, and works with the public API alone.
 */
export async function addDashboard(app: FastifyInstance, options: DashboardOptions): Promise<void> {
  const index = path.join(options.directory, 'index.html');
  if (!existsSync(index)) {
    app.log.warn(
      'the dashboard is not built: run `npm run build`. Everything else works without it',
    );
  }
  const handler = pageHandler(index, options);
  for (const url of DASHBOARD_PATHS) {
    app.route({ method: METHODS, url, schema: { hide: true }, handler });
  }
  await app.register(async (files) => serveFiles(files, path.join(options.directory, FILES)));
  const paths = [...DASHBOARD_PATHS, `/${FILES}/*`].map((url) => ({ url, ...ONLY_TO_READ }));
  app.otherMethods.declare(app, paths);
}

function pageHandler(index: string, { facts, signInPath }: DashboardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const location = signInPath(requestFacts(request));
    if (location !== undefined) return reply.code(303).header('location', location).send();
    // Read each time: a build that comes later brings files of other names.
    const template = await readIfThere(index);
    reply.type('text/html; charset=utf-8');
    if (template === undefined) return reply.code(503).send(NOT_BUILT);
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const theme = themeOf(request.headers.cookie);
    reply.headers({ ...APART, 'content-security-policy': policyWith(nonce) });
    return reply.send(fillTemplate(template, facts(), { theme, nonce }));
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Nothing but what is named here, all of it from our own files. Some components bring styles along, which
 * carry the nonce. A form never leads anywhere: its fields, passwords among them, would stand in an address.
 * No script is ever made from a text (Trusted Types, W3C).
 */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Pages of other origins neither keep a hold of ours nor load anything of it. */
const APART = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** The files may be kept for ever; the build has compressed most of them beforehand. */
async function serveFiles(app: FastifyInstance, root: string): Promise<void> {
  // A path that leads out of there, or is written in an odd way, names nothing.
  app.setErrorHandler((error: FastifyError, request) => {
    if ((error.statusCode ?? 500) >= 500) throw error;
    throw notFound(requestFacts(request).path);
  });
  await app.register(fastifyStatic, {
    root,
    prefix: `/${FILES}/`,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    // Nobody asks for a part of a script.
    acceptRanges: false,
    maxAge: '365d',
    immutable: true,
    setHeaders: (reply) => void reply.headers(APART),
    decorateReply: false,
    suppressWarning: true,
  });
}
