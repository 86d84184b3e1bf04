import { readFile, stat, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Of the files that stay as they are built: the page is filled in anew each time. */
const PATTERN = '**/*.{css,js,json,svg}';

// Smaller ones fit into one packet anyway.
const MIN_BYTES = 1_024;

/** Puts `.br` and `.gz` beside the built files, so that the server need not compress while it answers. */
export function precompress(): Plugin {
  let directory = '';
  return {
    name: 'latchkey:precompress',
    apply: 'build',
    configResolved({ root, build }) {
      directory = path.resolve(root, build.outDir);
    },
    async writeBundle() {
      const files = globSync(PATTERN, { cwd: directory });
      await Promise.all(files.map((file) => compress(path.join(directory, file))));
    },
  };
}

async function compress(file: string): Promise<void> {
  if ((await stat(file)).size <= MIN_BYTES) return;
  const content = await readFile(file);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
}
