// `npm pack` runs it: a package has no sources, so it needs the bundle of these sources and the built dashboard.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMain } from '../bin/bundle.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

if (!findMain(ROOT).endsWith('.js') || !existsSync(path.join(ROOT, 'dashboard/dist/index.html'))) {
  process.stderr.write(
    'The package needs a build of the dashboard and the server: run `npm run build`\n',
  );
  process.exit(1);
}
