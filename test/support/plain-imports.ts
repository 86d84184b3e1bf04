import { registerHooks } from 'node:module';

/**
 * Loaded before everything else in every process and thread of the tests. To load a module, Node looks
 * for the file, for what it links to, and for the package it is in, which says what the file holds. A
 * thread that works on the logs loads 300 modules, nearly all by the relative address of a file, and many
 * tests start two.
 */
const FILE = /^\.\.?\/.*\.(?:js|mjs|ts)$/;

/** What a file holds, where its name or its package leaves no doubt. */
const FORMATS = [
  { files: /^file:(?!.*\/node_modules\/).*\.ts$/, format: 'module-typescript' },
  { files: /\.mjs$|\/node_modules\/kysely\/dist\/.*\.js$/, format: 'module' },
];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isImport = context.conditions.includes('import');
    if (!isImport || !FILE.test(specifier) || context.parentURL === undefined) {
      return nextResolve(specifier, context);
    }
    const url = new URL(specifier, context.parentURL).href;
    const format = FORMATS.find(({ files }) => files.test(url))?.format;
    return { url, format, shortCircuit: true };
  },
});
