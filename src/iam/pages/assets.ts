import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';

const DIRECTORY = path.join(import.meta.dirname, 'assets');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const HASH_LENGTH = 12;

/**
 * Serves the files of the pages below `/assets`, each under a URL that changes with its content, so that browsers may
 * keep it forever. The files are read once.
 * @returns the URL paths by the names of the files
 */
export function serveAssets(app: FastifyInstance): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  const files = readdirSync(DIRECTORY).filter((file) => Object.hasOwn(TYPES, path.extname(file)));
  for (const file of files) serveAsset(app, file, addresses);
  return addresses;
}

const IMPORT = /(?<=from ')\.\/([\w-]+\.js)(?=')/g;

function serveAsset(app: FastifyInstance, file: string, addresses: Map<string, string>): string {
  const known = addresses.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(DIRECTORY, file), 'utf8');
  // A script names the scripts that it imports by their URLs.
  const content = text.replaceAll(IMPORT, (_match, imported: string) =>
    serveAsset(app, imported, addresses),
  );
  const { name, ext } = path.parse(file);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_LENGTH);
  const address = `/assets/${name}-${hash}${ext}`;
  addresses.set(file, address);
  app.get(address, { schema: { hide: true } }, async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    reply.type(TYPES[ext] ?? 'application/octet-stream');
    return content;
  });
  return address;
}
