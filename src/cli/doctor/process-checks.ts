import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findMain } from '../../../bin/bundle.js';
import { warnOfMistakes } from '../../startup-warnings.ts';
import { type Check, type Finding, ok, warning } from './check.ts';

// Each client of the gateway takes two, its own and that of the provider.
const ENOUGH_DESCRIPTORS = 4_096;
// With an older one the server starts, and nobody has tried it.
const TESTED_NODE = 26;

const node: Check = {
  name: 'Node',
  run() {
    const { node: version } = process.versions;
    if (Number.parseInt(version, 10) === TESTED_NODE) return [ok(version)];
    const advice = `use Node ${TESTED_NODE}, which \`npm install\` installs`;
    return [warning(`${version} is not the tested version`, advice)];
  },
};

const code: Check = {
  name: 'code',
  run() {
    const root = path.join(import.meta.dirname, '../../..');
    const isBundle = !findMain(root).endsWith('.ts');
    // Either is well: the sources take longer to start and some more memory.
    return [
      ok(
        isBundle
          ? 'the next start uses the bundle'
          : 'the next start uses the sources; `npm run build` creates a bundle',
      ),
    ];
  },
};

const descriptors: Check = {
  name: 'file descriptors',
  async run() {
    const text = await readFile('/proc/self/limits', 'utf8').catch(() => undefined);
    const [, limit] = /^Max open files\s+(\d+|unlimited)/m.exec(text ?? '') ?? [];
    if (limit === undefined) return [ok('the limit is unknown on this system')];
    if (limit === 'unlimited' || Number(limit) >= ENOUGH_DESCRIPTORS)
      return [ok(`limit of this process: ${limit}`)];
    const advice = 'raise the limit of the server: LimitNOFILE= of its unit, or ulimit -n';
    return [
      warning(`limit of this process: ${limit}; each client of the gateway uses two`, advice),
    ];
  },
};

/** That they are valid is known: without that there is nothing to look at. */
const settings: Check = {
  name: 'settings',
  run({ settings: given }) {
    const found: Finding[] = [];
    const warn = (message: string): void => {
      found.push(warning(message, 'correct the setting: see docs/settings.md'));
    };
    warnOfMistakes({ warn }, given);
    return found.length > 0 ? found : [ok('valid')];
  },
};

/** About the process and its settings. */
export const processChecks: readonly Check[] = [settings, node, code, descriptors];
