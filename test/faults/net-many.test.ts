import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { createDataDir } from '../support/server.ts';
import { openMany } from './connections.ts';

test('a thousand idle connections: little memory each, new requests are served, more are refused', async (t) => {
  const directory = await createDataDir();
  t.after(() => rm(directory, { recursive: true, force: true }));
  const { refused, bytesEach } = await openMany({ directory, progress: () => {} }, 1_000, false);
  assert.ok(refused >= 9, `${refused} refused`);
  assert.ok(bytesEach < 64 * 1024, `${bytesEach} bytes each`);
});
