#!/usr/bin/env node
// The launcher is plain JavaScript so that even a Node too old for the server can read it and say so.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 24 || (major === 24 && minor < 12)) {
  process.stderr.write(
    `latchkey needs Node 24.12 or newer, this is ${process.versions.node}: run it with \`npm start\`, which brings its own Node.\n`,
  );
  process.exitCode = 1;
} else {
  const [{ enableCompileCache }, path] = await Promise.all([
    import('node:module'),
    import('node:path'),
  ]);
  // Later starts need not strip and compile again. Beside the code, where only who may write the code
  // may write; without the right to, it does nothing.
  enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/latchkey'));
  const { run } = await import('../src/main.ts');
  await run(process.argv.slice(2));
}
