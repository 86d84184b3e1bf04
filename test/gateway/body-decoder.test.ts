import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { DecodedTooLargeError, createBodyDecoder } from '../../src/lib/body-decoder.ts';

const MIB = 1024 * 1024;
const TEXT = 'Grüße 🌍 '.repeat(20_000);

const encodings: [string, (body: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['X-GZIP ', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
];

interface Outcome {
  text: string;
  error: Error | undefined;
}

/** Decodes all pieces, with care for what the decoder says of its room. */
function decode(
  encoding: string,
  pieces: readonly Buffer[],
  maxBytes = 16 * MIB,
): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const chunks: Buffer[] = [];
  const left = [...pieces];
  const tell = (error?: Error) => resolve({ text: Buffer.concat(chunks).toString(), error });
  const writeOn = () => {
    for (;;) {
      const piece = left.shift();
      if (piece === undefined) return decoder?.end();
      if (decoder?.write(piece) === false) return;
    }
  };
  const decoder = createBodyDecoder(encoding, maxBytes, {
    onChunk: (chunk) => chunks.push(chunk),
    onEnd: () => tell(),
    onError: tell,
    onDrain: writeOn,
  });
  assert.ok(decoder);
  writeOn();
  return promise;
}

function cut(body: Buffer, bytes: number): Buffer[] {
  const count = Math.ceil(body.length / bytes);
  return Array.from({ length: count }, (_, i) => body.subarray(i * bytes, (i + 1) * bytes));
}

for (const [index, [encoding, compress]] of encodings.entries()) {
  const name = `${encoding} ${index}`;
  test(`a body comes out as it was: ${name}`, async () => {
    const body = compress(Buffer.from(TEXT));
    for (const pieces of [[body], cut(body, 1), cut(body, 7), cut(body, 1_000)]) {
      assert.deepEqual(await decode(encoding, pieces), { text: TEXT, error: undefined });
    }
  });

  test(`a body may be as long as is said, and no longer: ${name}`, async () => {
    const body = compress(Buffer.alloc(MIB, 'x'));
    assert.equal((await decode(encoding, [body], MIB)).error, undefined);
    const { text, error } = await decode(encoding, [body], MIB - 1);
    assert.ok(error instanceof DecodedTooLargeError);
    assert.ok(text.length < MIB);
  });

  test(`a body that is cut short is an error: ${name}`, async () => {
    const body = compress(Buffer.from(TEXT));
    const { error } = await decode(encoding, [body.subarray(0, body.length - 20)]);
    assert.ok(error instanceof Error);
  });
}

test('a damaged body is an error, once', async () => {
  for (const encoding of ['gzip', 'br', 'zstd']) {
    const pieces = [Buffer.from('this is not compressed'), Buffer.from(' at all')];
    const { text, error } = await decode(encoding, pieces);
    assert.equal(text, '');
    assert.ok(error instanceof Error);
  }
});

test('an empty body is one', async () => {
  assert.deepEqual(await decode('gzip', []), { text: '', error: undefined });
  assert.deepEqual(await decode('br', [Buffer.alloc(0)]), { text: '', error: undefined });
});

test('other encodings have no decoder', () => {
  const handlers = { onChunk() {}, onEnd() {}, onError() {} };
  for (const encoding of ['identity', '', 'compress', 'gzip, gzip']) {
    assert.equal(createBodyDecoder(encoding, MIB, handlers), undefined);
  }
});

test('what has come is given out, though the rest has not', async () => {
  const begun = gzipSync('data: eins\n\n', { finishFlush: constants.Z_SYNC_FLUSH });
  const { promise, resolve } = Promise.withResolvers<string>();
  const decoder = createBodyDecoder('gzip', MIB, {
    onChunk: (chunk) => resolve(chunk.toString()),
    onEnd() {},
    onError() {},
  });
  decoder?.write(begun);
  assert.equal(await promise, 'data: eins\n\n');
  decoder?.destroy();
});

test('a paused decoder gives nothing out, takes only so much, and goes on afterwards', async () => {
  const body = gzipSync(randomBytes(MIB));
  let bytes = 0;
  const drained = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const decoder = createBodyDecoder('gzip', MIB, {
    onChunk: (chunk) => (bytes += chunk.length),
    onEnd: ended.resolve,
    onError: ended.reject,
    onDrain: drained.resolve,
  });
  assert.ok(decoder);
  decoder.pause();
  assert.equal(decoder.write(body), false);
  await Promise.race([drained.promise.then(() => assert.fail('it took more')), sleep(50)]);
  assert.equal(bytes, 0);
  decoder.resume();
  await drained.promise;
  decoder.end();
  await ended.promise;
  assert.equal(bytes, MIB);
});

test('a destroyed decoder says nothing any more', async () => {
  const told: string[] = [];
  const decoder = createBodyDecoder('gzip', MIB, {
    onChunk: () => told.push('chunk'),
    onEnd: () => told.push('end'),
    onError: () => told.push('error'),
  });
  decoder?.write(gzipSync(TEXT));
  decoder?.destroy();
  assert.equal(decoder?.write(Buffer.from('x')), true);
  decoder?.end();
  await sleep(20);
  assert.deepEqual(told, []);
});
