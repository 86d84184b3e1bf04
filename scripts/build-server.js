// Builds the bundle of the server: `npm run build`, and `npm install` at its end. It is plain JavaScript, since
// `npm install --omit=dev` runs it too, perhaps with a Node that is too old for the rest.
import { fileURLToPath } from 'node:url';
import { buildServer } from './bundle-server.js';

/** Whether it is all right to build nothing. */
const isOptional = process.argv.includes('--if-possible');

try {
  const rolldown = await import('rolldown');
  await buildServer(fileURLToPath(new URL('..', import.meta.url)), rolldown);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `No bundle of the server was built, so that it may start more slowly, from its sources: ${reason}\n`,
  );
  process.exitCode = isOptional ? 0 : 1;
}
