// Makes the bundle of the server that bin/latchkey.js runs while it fits the sources. A few dozen files load
// in half the time of two thousand, and hold less memory.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BUNDLES, DESCRIPTION, hashFiles } from '../bin/bundle.js';

/** @typedef {import('rolldown').Plugin} Plugin */
/** @typedef {import('rolldown').OutputChunk} OutputChunk */

/** What the bundle is made of, by the names of their files in it; all but the first are threads. */
const ENTRIES = {
  main: 'src/main.ts',
  'log-worker': 'src/request-log/threads/log-worker.ts',
  'checkpoint-thread': 'src/storage/checkpoint-thread.ts',
};

const FOLDER_NAME_LENGTH = 16;

const UNFINISHED = '.building-';
// It takes a few seconds; what is older was left behind.
const BUILD_LIMIT_MS = 60 * 60_000;

/** The name of a module that only bundles have: it tells a package where it was installed. */
const INSTALLED = 'latchkey:installed';

/**
 * Nothing may be left that asks a module where it is, other than for what is known here: the answer would be
 * another one in a bundle.
 * @param {string} root of the repository
 * @returns {Plugin}
 */
function keepPlaces(root) {
  const fromFolder = path.relative(path.join(root, BUNDLES, 'folder'), root);
  return {
    name: 'keep-places',
    resolveId: (specifier) => (specifier === INSTALLED ? `\0${INSTALLED}` : undefined),
    load: (id) =>
      id === `\0${INSTALLED}`
        ? // npm may have put the package into a folder further up.
          `import { existsSync } from 'node:fs';
           import path from 'node:path';
           export function installedAt(place) {
             let folder = path.join(import.meta.dirname, '${fromFolder}');
             while (!existsSync(path.join(folder, place)) && folder !== path.dirname(folder))
               folder = path.dirname(folder);
             return path.join(folder, place);
           }`
        : undefined,
    transform(code, id) {
      if (id.startsWith('\0')) return undefined;
      const place = path.relative(root, path.dirname(id));
      if (isOfPackage(id)) {
        if (!/\b__dirname\b/.test(code)) return undefined;
        return `const __dirname = require('${INSTALLED}').installedAt(${JSON.stringify(place)});${code}`;
      }
      const moved = code
        .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, (_, name) => {
          if (!Object.hasOwn(ENTRIES, name)) throw new Error(`${id}: no entry is named ${name}`);
          return `new URL('./${name}.js', import.meta.url)`;
        })
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${fromFolder}/${place}')`);
      const known = /new URL\('\.\/[\w-]+\.js', import\.meta\.url\)|\(import\.meta\.dirname \+ '/g;
      if (moved.replaceAll(known, '').includes('import.meta')) {
        throw new Error(`${id}: asks where it is in a way that a bundle does not know`);
      }
      return moved === code ? undefined : moved;
    },
  };
}

/**
 * For `import` Node reads all that a built-in module exports, and thereby loads what a few of its exports stand
 * for: of `node:http`, a whole WebSocket client and `fetch`, which take 15 MiB.
 */
const COSTLY_BUILTINS = ['http'];
const BUILTIN = '\0latchkey:builtin:';

/**
 * Takes from such modules only what is named.
 * @returns {Plugin}
 */
function spareBuiltins() {
  return {
    name: 'spare-builtins',
    resolveId(specifier, _importer, { kind }) {
      const name = specifier.replace(/^node:/, '');
      return kind === 'import-statement' && COSTLY_BUILTINS.includes(name)
        ? BUILTIN + name
        : undefined;
    },
    load(id) {
      if (!id.startsWith(BUILTIN)) return undefined;
      const name = id.slice(BUILTIN.length);
      const exported = Object.entries(
        Object.getOwnPropertyDescriptors(process.getBuiltinModule(name)),
      ).filter(([key, property]) => 'value' in property && /^[A-Za-z]\w*$/.test(key));
      return [
        `const builtin = process.getBuiltinModule('node:${name}');`,
        'export default builtin;',
        ...exported.map(([key]) => `export const ${key} = builtin.${key};`),
      ].join('\n');
    },
  };
}

/**
 * @param {Map<string, string>} texts
 * @returns {Plugin}
 */
function keepTexts(texts) {
  return {
    name: 'keep-texts',
    transform(code, id) {
      if (!id.startsWith('\0') && !isOfPackage(id)) texts.set(id, code);
    },
  };
}

/** @param {string} id */
const isOfPackage = (id) => id.includes('/node_modules/');

/**
 * One character beyond Latin-1 doubles the memory that V8 takes for the text of a file.
 * @param {string} code in which such characters are within strings, templates and regular expressions
 */
function escapeCharacters(code) {
  if (/\\[^\0-\x7f]|\braw`[^`]*[^\0-\x7f]/.test(code)) {
    throw new Error('a character beyond ASCII stands where it cannot be escaped');
  }
  return code.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * @param {string} root of the repository
 * @param {typeof import('rolldown')} rolldown
 * @param {Map<string, string>} texts gets our own modules as they are read
 * @returns {Promise<OutputChunk[]>}
 */
async function bundle(root, { rolldown }, texts) {
  const build = await rolldown({
    cwd: root,
    input: ENTRIES,
    platform: 'node',
    // `debug` takes it where it is there, and a production install has none.
    external: ['supports-color'],
    plugins: [keepTexts(texts), keepPlaces(root), spareBuiltins()],
    // An installed package is where it is found, not where a link leads to.
    resolve: { symlinks: false },
    logLevel: 'warn',
    // It is a fault that nobody would read of: who installs a package looks at no warnings.
    onLog(_level, { message }) {
      throw new Error(message);
    },
  });
  try {
    const { output } = await build.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      // The names of classes are in logs; those of functions, and lines, in the stacks of errors.
      keepNames: true,
      minify: false,
      comments: false,
    });
    return output.filter((file) => file.type === 'chunk');
  } finally {
    await build.close();
  }
}

/**
 * What has to be as it was for the bundle to be used: our own modules, and the versions of packages.
 * @param {string} root of the repository
 * @param {readonly OutputChunk[]} chunks
 * @returns {string[]} relative to the root
 */
function listSources(root, chunks) {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !id.startsWith('\0'));
  const files = modules.map((id) => (isOfPackage(id) ? findManifest(id) : id.replace(/\?.*$/, '')));
  const places = files.map((file) => path.relative(root, file));
  return [...new Set(places)];
}

/** @param {string} id of a module of a package */
function findManifest(id) {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [id];
  return path.join(folder, 'package.json');
}

/**
 * What was hashed has to be what was bundled.
 * @param {ReadonlyMap<string, string>} texts of modules by their files, as they were read
 */
function checkUnchanged(texts) {
  for (const [file, text] of texts) {
    if (fs.readFileSync(file, 'utf8') !== text) throw new Error(`${file} changed meanwhile`);
  }
}

/**
 * Others may be at the same, and a server may run that still has to load something of an older bundle: a
 * folder appears as a whole, under a name that is made from its content, and the last one stays.
 * @param {string} root of the repository
 * @param {readonly OutputChunk[]} chunks
 * @returns {string} the name of the folder
 */
function writeFolder(root, chunks) {
  const hash = createHash('sha256');
  const bundles = path.join(root, BUNDLES);
  fs.mkdirSync(bundles, { recursive: true });
  const own = fs.mkdtempSync(path.join(bundles, UNFINISHED));
  try {
    for (const { fileName, code } of chunks) {
      const text = escapeCharacters(code);
      hash.update(`${fileName}\n${text.length}\n`).update(text);
      fs.writeFileSync(path.join(own, fileName), text);
    }
    fs.chmodSync(own, 0o777 & ~process.umask());
    const folder = hash.digest('hex').slice(0, FOLDER_NAME_LENGTH);
    const whole = path.join(bundles, folder);
    if (isSame(own, whole)) return folder;
    // What is there under that name was damaged.
    fs.rmSync(whole, { recursive: true, force: true });
    rename(own, whole);
    return folder;
  } finally {
    fs.rmSync(own, { recursive: true, force: true });
  }
}

/**
 * Whether two folders have the same files; one may be missing.
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
  try {
    const names = fs.readdirSync(one);
    return (
      names.length === fs.readdirSync(other).length &&
      hashFiles(one, names) === hashFiles(other, names)
    );
  } catch {
    return false;
  }
}

/**
 * @param {string} folder
 * @param {string} whole where another build may have put the same meanwhile
 */
function rename(folder, whole) {
  try {
    fs.renameSync(folder, whole);
  } catch (error) {
    if (!fs.existsSync(whole)) throw error;
  }
}

/** @param {string} place of something that a build is making, or was making when it ended */
function isBeingBuilt(place) {
  const isUnfinished = path.basename(place).startsWith(UNFINISHED);
  return isUnfinished && Date.now() - fs.statSync(place).mtimeMs < BUILD_LIMIT_MS;
}

/**
 * Removes all but these, and what others are building.
 * @param {string} root of the repository
 * @param {readonly (string | undefined)[]} kept
 */
function removeOthers(root, kept) {
  const bundles = path.join(root, BUNDLES);
  for (const name of fs.readdirSync(bundles)) {
    const place = path.join(bundles, name);
    if (kept.includes(name) || isBeingBuilt(place)) continue;
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/**
 * @param {string} root of the repository
 * @returns {{ folder?: string, previous?: string }}
 */
function readDescription(root) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, DESCRIPTION), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * @param {string} root of the repository
 * @param {typeof import('rolldown')} rolldown
 * @throws {Error} when there is no bundle of these sources
 */
export async function buildServer(root, rolldown) {
  if (path.sep !== '/') throw new Error('it knows only paths with slashes');
  /** @type {Map<string, string>} */
  const texts = new Map();
  const chunks = await bundle(root, rolldown, texts);
  const last = readDescription(root);
  const folder = writeFolder(root, chunks);
  // The one before stays for a server that still runs from it, however often the same is built.
  const previous = last.folder === folder ? last.previous : last.folder;
  const built = chunks.map(({ fileName }) => `${BUNDLES}/${folder}/${fileName}`);
  const files = [...listSources(root, chunks), ...built];
  const description = { folder, previous, hash: hashFiles(root, files), files };
  checkUnchanged(texts);
  const own = path.join(root, BUNDLES, `${UNFINISHED}${process.pid}.json`);
  fs.writeFileSync(own, `${JSON.stringify(description)}\n`);
  fs.renameSync(own, path.join(root, DESCRIPTION));
  // An npm package has the last one only.
  fs.writeFileSync(path.join(root, BUNDLES, '.npmignore'), `/*\n!/${folder}\n!/bundle.json\n`);
  removeOthers(root, [path.basename(DESCRIPTION), '.npmignore', folder, previous]);
}
