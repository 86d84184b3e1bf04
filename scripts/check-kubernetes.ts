import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { checkManifests, readManifests } from '../test/support/kubernetes.ts';

/**
 * Renders deploy/kubernetes, or a given overlay of it, with `kubectl kustomize` and validates the result:
 * `npm run check:kubernetes -- ../my-overlay`. Needs kubectl.
 */
const [folder = path.join(import.meta.dirname, '../deploy/kubernetes')] = process.argv.slice(2);
const { error, status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
  encoding: 'utf8',
});
if (error !== undefined || status !== 0) {
  process.stderr.write(`kubectl kustomize failed: ${error?.message ?? stderr}\n`);
  process.exit(1);
}
const manifests = readManifests(stdout);
checkManifests(manifests);
process.stdout.write(`${manifests.size} valid manifests: ${[...manifests.keys()].join(', ')}\n`);
