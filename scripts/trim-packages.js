// Removes files that nothing here reads from the installed packages: source maps, and the C++ headers of Node.
// They are a quarter of an installation. `npm install` runs it at its end, so it is plain JavaScript for any Node.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../node_modules', import.meta.url));
const NODE = /^node(?:-bin)?-(?:linux|darwin|win)-\w+$/;
const SOURCE_MAP = /\.(?:js|mjs|cjs|css|ts|mts|cts)\.map$/;

/** @param {string} folder */
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name === 'include' && NODE.test(path.basename(folder))) {
        rmSync(place, { recursive: true });
      } else trim(place);
    } else if (SOURCE_MAP.test(entry.name)) rmSync(place);
  }
}

try {
  trim(PACKAGES);
} catch (error) {
  // A smaller installation is not worth a failure.
  process.stderr.write(`The packages were not trimmed: ${String(error)}\n`);
}
