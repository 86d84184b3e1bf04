import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { benchmarksPage, resultsPage } from '../bench/report.ts';
import { type OpenApi, schemaTypes } from './generate-schema.ts';
import { startApp } from '../src/app.ts';
import { describeSettings, readSettings } from '../src/config/settings.ts';
import { impliedPermissions, permissions } from '../src/iam/permissions.ts';
import { roles } from '../src/iam/roles.ts';
import { createSecret } from '../src/lib/secrets.ts';
import { errorTables } from './declared-errors.ts';

/**
 * Writes what is made from the code, the reference and the dashboard's types of the API: `npm run
 * generate`. With `--check` it writes nothing and fails when a file differs from what the code says:
 * `npm run check -- generated`.
 */
const ROOT = path.join(import.meta.dirname, '..');

const NOTE = '<!-- Generated from the code by `npm run generate`. -->';

interface OpenApiOperation {
  operationId: string;
  description?: string;
}

interface OpenApiDocument {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

/** The document as a server with nothing but defaults serves it. */
async function fetchOpenApi(): Promise<OpenApiDocument> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'latchkey-generate-'));
  try {
    const app = await startApp(
      readSettings({
        LATCHKEY_PORT: '0',
        LATCHKEY_DATA_DIR: dataDir,
        LATCHKEY_LOG_LEVEL: 'silent',
        LATCHKEY_BOOTSTRAP_TOKEN: createSecret('lkat_'),
      }),
    );
    try {
      const response = await fetch(`${app.origin}/openapi.json`);
      const document = (await response.json()) as OpenApiDocument;
      // By path, so that moving a route's declaration changes nothing.
      const paths = Object.entries(document.paths).sort(([a], [b]) => (a < b ? -1 : 1));
      return { ...document, paths: Object.fromEntries(paths) };
    } finally {
      await app.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function table(headings: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = headings.map(() => '---');
  return [headings, rule, ...rows].map(line).join('\n');
}

function page(title: string, ...sections: string[]): string {
  return `${[`# ${title}`, NOTE, ...sections].join('\n\n')}\n`;
}

/** Which operations need each permission, or what they need instead, as each says of itself. */
function operationsByNeed(document: OpenApiDocument): Map<string, string[]> {
  const operations = new Map<string, string[]>();
  for (const item of Object.values(document.paths)) {
    for (const { operationId, description = '' } of Object.values(item)) {
      const need = /Requires: (?:`([^`]+)`|([^.]+)\.)/.exec(description);
      const slug = need?.[1] ?? need?.[2];
      if (slug === undefined) continue;
      operations.set(slug, [...(operations.get(slug) ?? []), operationId]);
    }
  }
  return operations;
}

const code = (names: readonly string[]): string =>
  names
    .toSorted()
    .map((name) => `\`${name}\``)
    .join(', ');

/** Which role holds which permission. */
function rolesTable(): string {
  const rows = permissions
    .filter(({ scope }) => scope === 'account')
    .map(({ slug }) => [
      `\`${slug}\``,
      ...roles.map((role) =>
        role.permissions.flatMap(impliedPermissions).includes(slug) ? '✓' : '',
      ),
    ]);
  return table(['Permission', ...roles.map(({ name }) => name)], rows);
}

function permissionsPage(document: OpenApiDocument): string {
  const operations = operationsByNeed(document);
  const slugs = new Set<string>(permissions.map(({ slug }) => slug));
  const others = [...operations].filter(([need]) => !slugs.has(need));
  const rows = permissions.map(({ slug, name, id, category }) => {
    return [`\`${slug}\``, name, `\`${id}\``, category, code(operations.get(slug) ?? [])];
  });
  return page(
    'Permissions',
    'Permission groups of API tokens, OAuth scopes and roles are views of this table. The slug is the ' +
      'id of the OAuth scope, and the id is that of the permission group. Both are stable. `.write` ' +
      'implies `.read` of the same subject.',
    table(['Slug', 'Name', 'Id', 'Category', 'Operations'], rows),
    '## Operations without a permission',
    table(
      ['Requirement', 'Operations'],
      others.map(([need, names]) => [need, code(names)]),
    ),
    '## Roles',
    'The permissions of each role in its account. Only Super Administrators can delete the account and ' +
      'change the role Super Administrator. Every user has `user-details.read`, `memberships.read` and ' +
      'the permissions for their own API tokens without a role.',
    rolesTable(),
    table(
      ['Role', 'Id', 'Meaning'],
      roles.map(({ name, id, description }) => [name, `\`${id}\``, description]),
    ),
  );
}

function errorsPage(): string {
  const sections = Object.entries(errorTables).flatMap(([domain, errors]) => {
    const rows = Object.values(errors)
      .toSorted((a, b) => a.code - b.code || a.status - b.status)
      .map(({ status, code, message }) => [String(status), String(code), message]);
    return [`## ${domain}`, table(['Status', 'Code', 'Message'], rows)];
  });
  return page(
    'Errors',
    'The member `errors` of a response contains these codes. Messages may contain more details, so ' +
      'programs should use the status and the code.',
    ...sections,
  );
}

function secretSettings(): string {
  const secrets = describeSettings().filter(({ isSecret }) => isSecret);
  return code(secrets.map(({ name }) => name));
}

function settingsPage(): string {
  const rows = describeSettings().map(({ name, default: value, meaning }) => [
    `\`${name}\``,
    value === '' ? '' : `\`${value}\``,
    meaning,
  ]);
  return page(
    'Settings',
    'Settings are environment variables, or members of the JSON file that `--config` names. Environment ' +
      'variables take precedence. The server does not start with an invalid value and reports the setting.',
    'The server reads a secret setting from a file if `_FILE` is appended to its name, such as ' +
      `\`LATCHKEY_MASTER_KEY_FILE=/run/secrets/master-key\`. Secret settings: ${secretSettings()}.`,
    'Line breaks at the end of a value are removed. The server rejects values in quotes and values with other ' +
      'control characters.',
    table(['Name', 'Default', 'Meaning'], rows),
  );
}

async function generate(): Promise<Map<string, string>> {
  const document = await fetchOpenApi();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/permissions.md', permissionsPage(document)],
    ['docs/errors.md', errorsPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/benchmarks.md', benchmarksPage()],
    ['bench/results/README.md', resultsPage()],
    ['dashboard/src/api/schema.d.ts', await schemaTypes(document as object as OpenApi)],
  ]);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
}

const isCheck = process.argv.includes('--check');
for (const [name, content] of await generate()) {
  const file = path.join(ROOT, name);
  if ((await readIfThere(file)) === content) continue;
  if (isCheck) {
    process.stderr.write(`${name} is not what the code says: run \`npm run generate\`\n`);
    process.exitCode = 1;
  } else {
    await writeFile(file, content);
    process.stdout.write(`${name} written\n`);
  }
}
