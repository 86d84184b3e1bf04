import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { declaredErrors, errorTables } from '../../scripts/declared-errors.ts';
import { describeSettings } from '../../src/config/settings.ts';
import { permissions } from '../../src/iam/permissions.ts';

const ROOT = path.join(import.meta.dirname, '../..');

describe('declared errors', () => {
  test('a status and a code together name one error', () => {
    const places = new Map<string, string>();
    for (const [domain, table] of Object.entries(errorTables)) {
      for (const [name, { status, code }] of Object.entries(table)) {
        const key = `${status} ${code}`;
        assert.equal(
          places.get(key),
          undefined,
          `${key} is ${places.get(key)} and ${domain} ${name}`,
        );
        places.set(key, `${domain} ${name}`);
      }
    }
  });

  test('a code has one status, except for those that clients know with two', () => {
    const twoStatuses = new Map([
      [1000, [401, 500]],
      [10_000, [401, 403]],
    ]);
    for (const [code, errors] of Map.groupBy(declaredErrors(), (error) => error.code)) {
      const statuses = errors.map(({ status }) => status).sort((a, b) => a - b);
      assert.deepEqual(statuses, twoStatuses.get(code) ?? [statuses[0]], String(code));
    }
  });

  test('every status is one of a refusal, and every message says something', () => {
    for (const { status, code, message } of declaredErrors()) {
      assert.ok(status >= 400 && status <= 599, String(code));
      // Clients take 409 for a transient conflict and try again.
      assert.notEqual(status, 409, String(code));
      assert.ok(message.length > 5, String(code));
    }
  });

  test('all of them are documented', async () => {
    const page = await readFile(path.join(ROOT, 'docs/errors.md'), 'utf8');
    for (const { status, code, message } of declaredErrors()) {
      const row = `| ${status} | ${code} | ${message.replaceAll('|', '\\|')} |`;
      assert.ok(page.includes(row), row);
    }
  });
});

describe('the generated reference', () => {
  test('has every permission and every setting', async () => {
    const permissionsPage = await readFile(path.join(ROOT, 'docs/permissions.md'), 'utf8');
    for (const { slug, name, id } of permissions) {
      assert.ok(permissionsPage.includes(`| \`${slug}\` | ${name} | \`${id}\` |`), slug);
    }
    const settingsPage = await readFile(path.join(ROOT, 'docs/settings.md'), 'utf8');
    for (const { name } of describeSettings())
      assert.ok(settingsPage.includes(`| \`${name}\` |`), name);
  });
});
