#!/usr/bin/env node
// The launcher is plain JavaScript so that even a Node too old for the server can read it and say so.
// Without a listener, Node opens its debugger on this signal, for every user of the machine.
process.on('SIGUSR1', () => {});

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `latchkey needs Node 24.12 or newer, this is ${process.versions.node}: run it with \`npm start\`, which brings its own Node.\n`,
  );
  process.exitCode = 1;
} else {
  const [{ enableCompileCache }, { availableParallelism }, path, { pathToFileURL }, { findMain }] =
    await Promise.all([
      import('node:module'),
      import('node:os'),
      import('node:path'),
      import('node:url'),
      import('./bundle.js'),
    ]);
  shareOneCore(availableParallelism());
  const root = path.join(import.meta.dirname, '..');
  // Later starts need not strip and compile again. Beside the code, where only who may write the code
  // may write; without the right to, it does nothing.
  enableCompileCache(path.join(root, 'node_modules/.cache/latchkey'));
  const { run } = await import(pathToFileURL(findMain(root)).href);
  await run(process.argv.slice(2));
}

/**
 * On one core the four threads with which V8 compiles and collects the heap take it from the requests, for tens of
 * milliseconds: begins anew with one, which only compiles, as the same process.
 * @param {number} cores that the process may use
 */
function shareOneCore(cores) {
  const flags = ['--single-threaded-gc', '--v8-pool-size=1'];
  const { execPath, execArgv, argv, env } = process;
  if (cores > 1 || flags.every((flag) => execArgv.includes(flag))) return;
  try {
    // Windows has no such function.
    process.execve?.(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], env);
  } catch {
    // It is slower at times, that is all.
  }
}
