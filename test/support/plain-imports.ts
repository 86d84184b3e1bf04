import { registerHooks } from 'node:module';

/**
 * Loaded before everything else in every process and thread of the tests. To load a module, Node looks
 * for the file, for what it links to, and for the package it is in. A thread that works on the logs
 * loads 300 modules, nearly all by the relative address of a file, and many tests start two.
 */
const FILE = /^\.\.?\/.*\.(?:js|ts)$/;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isImport = context.conditions.includes('import');
    if (!isImport || !FILE.test(specifier) || context.parentURL === undefined) {
      return nextResolve(specifier, context);
    }
    return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
  },
});
