import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgresUrlError, parsePostgresUrl } from '../../src/lib/postgres-url.ts';

for (const [text, names, strings] of [
  ['postgres://u:p@h/db', ['h:5432'], ['postgres://u:p@h/db']],
  [
    'postgresql://u:p@h1:5433,h2/db?sslmode=verify-full&target_session_attrs=primary',
    ['h1:5433', 'h2:5432'],
    [
      'postgresql://u:p@h1:5433/db?sslmode=verify-full',
      'postgresql://u:p@h2/db?sslmode=verify-full',
    ],
  ],
  [
    'postgres://[::1]:5433,[::2]/db',
    ['[::1]:5433', '[::2]:5432'],
    ['postgres://[::1]:5433/db', 'postgres://[::2]/db'],
  ],
  // What stands before the last @ is of the user, whatever is in it.
  ['postgres://u:p,q@r@h/db', ['h:5432'], ['postgres://u:p,q@r@h/db']],
  ['postgres://u@%2Frun%2Fpg/db', ['/run/pg:5432'], ['postgres://u@%2Frun%2Fpg/db']],
  [
    'postgres:///db?host=/run/pg,h2&port=1,2',
    ['/run/pg:1', 'h2:2'],
    ['postgres://%2Frun%2Fpg:1/db', 'postgres://h2:2/db'],
  ],
  ['postgres://a,b/db?port=7', ['a:7', 'b:7'], ['postgres://a:7/db', 'postgres://b:7/db']],
  ['postgres:///db', ['localhost:5432'], ['postgres:///db']],
] as const) {
  test(`${text}: each host with all that is said of all`, () => {
    const { addresses } = parsePostgresUrl(text);
    assert.deepEqual(
      addresses.map(({ name }) => name),
      names,
    );
    assert.deepEqual(
      addresses.map(({ connectionString }) => connectionString),
      strings,
    );
  });
}

test('what a session must allow, and how long a host may take', () => {
  const parse = (parameters: string) => parsePostgresUrl(`postgres://h/db${parameters}`);
  assert.equal(parse('').session, 'read-write');
  for (const session of ['read-write', 'primary', 'any'] as const) {
    assert.equal(parse(`?target_session_attrs=${session}`).session, session);
  }
  assert.equal(parse('').connectTimeoutMs, undefined);
  assert.equal(parse('?connect_timeout=0').connectTimeoutMs, undefined);
  assert.equal(parse('?connect_timeout=1').connectTimeoutMs, 2_000);
  assert.equal(parse('?connect_timeout=10').connectTimeoutMs, 10_000);
});

for (const [text, expected] of [
  ['mysql://h/db', /^must start with postgres:/],
  ['h1,h2', /^must start with postgres:/],
  ['postgres://h1,/db', /empty name/],
  ['postgres:///db?host=h1,,h2', /empty name/],
  ['postgres://h1:x,h2/db', /host:port/],
  ['postgres://h1:1:2/db', /host:port/],
  ['postgres://[::1/db', /host:port/],
  ['postgres://h1,h2:0/db', /invalid port/],
  ['postgres://h1,h2:65536/db', /invalid port/],
  ['postgres:///db?host=a,b,c&port=1,2', /one for each host/],
  ['postgres://h/db?target_session_attrs=standby', /target_session_attrs .* needs write access/],
  ['postgres://h/db?target_session_attrs=prefer-standby', /target_session_attrs/],
  ['postgres://h/db?target_session_attrs=', /target_session_attrs/],
  ['postgres://h/db?connect_timeout=soon', /connect_timeout/],
  ['postgres://h/db?connect_timeout=61', /connect_timeout/],
  [
    `postgres://${Array.from({ length: 17 }, (_, index) => `h${index}`).join(',')}/db`,
    /at most 16/,
  ],
] as const) {
  test(`${text.slice(0, 50)} is refused`, () => {
    assert.throws(
      () => parsePostgresUrl(text),
      (error) => error instanceof PostgresUrlError && expected.test(error.message),
    );
  });
}
