import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgresUrlError } from '../../src/lib/postgres-url-error.ts';
import { parsePostgresUrl } from '../../src/lib/postgres-url.ts';

for (const [text, names, strings] of [
  ['postgres://u:p@h/db', ['h:5432'], ['postgres://u:p@h/db']],
  [
    'postgresql://u:p@h1:5433,h2/db?application_name=x&sslmode=verify-full&target_session_attrs=primary',
    ['h1:5433', 'h2:5432'],
    ['postgresql://u:p@h1:5433/db?application_name=x', 'postgresql://u:p@h2/db?application_name=x'],
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

test('TLS parameters become options of the driver', () => {
  const { tls, sslNegotiation, addresses } = parsePostgresUrl(
    'postgres://h/db?sslmode=verify-full&sslrootcert=system&sslnegotiation=direct&options=-cx%3D1',
  );
  assert.ok(typeof tls === 'object' && Array.isArray(tls.ca));
  assert.equal(sslNegotiation, 'direct');
  assert.deepEqual(
    addresses.map(({ connectionString }) => connectionString),
    ['postgres://h/db?options=-cx%3D1'],
  );
  const tlsOf = (parameters: string) => parsePostgresUrl(`postgres://h/db?${parameters}`).tls;
  assert.equal(tlsOf(''), undefined);
  assert.equal(tlsOf('sslmode=disable'), false);
  assert.equal(tlsOf('ssl=0'), false);
  assert.deepEqual(tlsOf('sslmode=require'), {});
  assert.deepEqual(tlsOf('sslmode=no-verify'), { rejectUnauthorized: false });
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
  ['postgres://h/db?schema=app', /unsupported parameter schema: .*search_path%3D/],
  ['postgres://h/db?search_path=app', /unsupported parameter search_path: .*search_path%3D/],
  ['postgres://h/db?connection_limit=5', /connection_limit: use .*LATCHKEY_DATABASE_POOL_SIZE/],
  ['postgres://h/db?pgbouncer=true', /pgbouncer: use .*LATCHKEY_DATABASE_DIRECT_URL/],
  ['postgres://h/db?channel_binding=require', /channel_binding\. Supported: application_name/],
  ['postgres://h/db?statement_timeout=1', /unsupported parameter statement_timeout/],
  ['postgres://h/db?SSLMODE=require', /unsupported parameter SSLMODE/],
  ['postgres://h/db?__proto__=1', /unsupported parameter __proto__/],
  ['postgres://h/db?toString=1', /unsupported parameter toString/],
  ['postgres://h/db?a%0Ab=1', /unsupported parameter with an odd name/],
  ['postgres://h/db?options=-c&options=-d', /parameter options twice/],
  ['postgres://h/db?sslmode=prefer', /does not fall back to plain text as prefer/],
  ['postgres://h/db?sslmode=allow', /does not fall back to plain text as allow/],
  ['postgres://h/db?sslmode=verify_full', /must have sslmode disable, no-verify/],
  ['postgres://h/db?sslmode=', /must have sslmode disable, no-verify/],
  ['postgres://h/db?sslmode=verify-ca', /must have sslrootcert with sslmode=verify-ca/],
  ['postgres://h/db?ssl=maybe', /must have ssl=/],
  [
    'postgres://h/db?sslrootcert=/no/root.pem',
    /sslrootcert=\/no\/root\.pem, which cannot be read: ENOENT/,
  ],
  ['postgres://h/db?sslcert=/c.pem', /must have sslcert and sslkey/],
  ['postgres://h/db?sslmode=require&sslnegotiation=fast', /sslnegotiation postgres or direct/],
  ['postgres://h/db?sslnegotiation=direct', /sslmode with sslnegotiation=direct/],
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
