import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { HeaderAllowList } from '../../src/request-log/redaction/header-allow-list.ts';
import { redactBody, redactText } from '../../src/request-log/redaction/redact.ts';
import { createSecret } from '../../src/lib/secrets.ts';

const redact = (text: string): string => Buffer.from(redactBody(Buffer.from(text))).toString();

const RANDOM = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0';
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${RANDOM}\n${RANDOM}==\n-----END RSA PRIVATE KEY-----`;
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${RANDOM}`;

describe('members whose names say that they are credentials', () => {
  const cases: [string, string, string][] = [
    ['at the top', '{"api_key":"abc","model":"m"}', '{"api_key":"[redacted]","model":"m"}'],
    ['anywhere', '{"a":[{"b":{"password" : "x y"}}]}', '{"a":[{"b":{"password" : "[redacted]"}}]}'],
    [
      'in any spelling',
      '{"OpenAI-API-Key":"a","clientSecret":"b"}',
      '{"OpenAI-API-Key":"[redacted]","clientSecret":"[redacted]"}',
    ],
    [
      'with a prefix',
      '{"DB_PASSWORD":"a","GITHUB_ACCESS_TOKEN":"b"}',
      '{"DB_PASSWORD":"[redacted]","GITHUB_ACCESS_TOKEN":"[redacted]"}',
    ],
    [
      'a value contains escapes',
      String.raw`{"token":"a\"b\\","x":1}`,
      '{"token":"[redacted]","x":1}',
    ],
    [
      'a name contains escapes',
      String.raw`{"pass\u0077ord":"a"}`,
      String.raw`{"pass\u0077ord":"[redacted]"}`,
    ],
    [
      'in lists',
      '{"cookie":["a=1", "b=2"],"x":"y"}',
      '{"cookie":["[redacted]", "[redacted]"],"x":"y"}',
    ],
    ['empty', '{"password":""}', '{"password":""}'],
    [
      'values of other types',
      '{"password":null,"secret":true,"token":5}',
      '{"password":null,"secret":true,"token":5}',
    ],
    [
      'a schema of a credential',
      '{"password":{"type":"string"}}',
      '{"password":{"type":"string"}}',
    ],
    ['cut off', '{"password":"hun', '{"password":"[redacted]'],
    [
      'cut off behind a backslash',
      String.raw`{"password":"hun\ `.trim(),
      '{"password":"[redacted]',
    ],
    [
      'in an event',
      'data: {"secret":"abc"}\n\ndata: [DONE]\n\n',
      'data: {"secret":"[redacted]"}\n\ndata: [DONE]\n\n',
    ],
    ['in broken JSON', '{"a":,"secret":"abc"]', '{"a":,"secret":"[redacted]"]'],
    [
      'in JSON in a text',
      String.raw`{"arguments":"{\"password\":\"a\\\"b\",\"x\":\"y\"}"}`,
      String.raw`{"arguments":"{\"password\":\"[redacted]\",\"x\":\"y\"}"}`,
    ],
    [
      'in JSON in a text in a text',
      JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ secret: 'a"b', c: 'd' }) }) }),
      JSON.stringify({
        a: JSON.stringify({ b: JSON.stringify({ secret: '[redacted]', c: 'd' }) }),
      }),
    ],
    [
      'in a text that ends too early',
      String.raw`{"a":"{\"secret\":\"abc","b":"c"}`,
      String.raw`{"a":"{\"secret\":\"[redacted]","b":"c"}`,
    ],
    [
      'in JSON in a text over several lines',
      JSON.stringify({ a: JSON.stringify({ password: 'x', b: 1 }, null, 2) }),
      JSON.stringify({ a: JSON.stringify({ password: '[redacted]', b: 1 }, null, 2) }),
    ],
    [
      'a token with its probability',
      '{"token":"Hello","logprob":-0.1}',
      '{"token":"Hello","logprob":-0.1}',
    ],
    [
      'a token with its bytes',
      '{"token":" a" , "bytes":[32,97]}',
      '{"token":" a" , "bytes":[32,97]}',
    ],
    [
      'a token with its number',
      '{"candidates":[{"token":"a","tokenId":5},{"token":"b","logProbability":-1}]}',
      '{"candidates":[{"token":"a","tokenId":5},{"token":"b","logProbability":-1}]}',
    ],
    [
      'a token behind its probability',
      '[{"bytes":[97],"logprob":-0.25,"token":"a"},{"logprob" : -1 , "token":"b"}]',
      '[{"bytes":[97],"logprob":-0.25,"token":"a"},{"logprob" : -1 , "token":"b"}]',
    ],
    [
      'a token with others in its place',
      '{"token":"a","top_logprobs":[],"x":{"token":"b"}}',
      '{"token":"a","top_logprobs":[],"x":{"token":"[redacted]"}}',
    ],
    [
      'a name contains escapes, in JSON within a text',
      JSON.stringify({ a: String.raw`{"pass\u0077ord":"b"}` }),
      JSON.stringify({ a: String.raw`{"pass\u0077ord":"[redacted]"}` }),
    ],
    [
      'names of keys and tokens of services',
      '{"hf_token":"a","GITHUB_TOKEN":"b","Ocp-Apim-Subscription-Key":"c","cookies":"d"}',
      '{"hf_token":"[redacted]","GITHUB_TOKEN":"[redacted]","Ocp-Apim-Subscription-Key":"[redacted]","cookies":"[redacted]"}',
    ],
    [
      'several of them',
      '{"api_keys":["a","b"],"passwords":["c"]}',
      '{"api_keys":["[redacted]","[redacted]"],"passwords":["[redacted]"]}',
    ],
    [
      'tokens of a vocabulary, and of pages',
      '{"eos_token":"</s>","pad_token":"<pad>","next_page_token":"a","stop_token":"b"}',
      '{"eos_token":"</s>","pad_token":"<pad>","next_page_token":"a","stop_token":"b"}',
    ],
    ['a value of that name', '{"x":"password","y":"z"}', '{"x":"password","y":"z"}'],
    [
      'numbers of tokens',
      '{"max_tokens":5,"prompt_tokens":"7"}',
      '{"max_tokens":5,"prompt_tokens":"7"}',
    ],
    [
      'headers, but for harmless ones',
      '{"headers":{"Content-Type":"a/b","X-Own":"abc","Cookie":"d"},"x":"y"}',
      '{"headers":{"Content-Type":"a/b","X-Own":"[redacted]","Cookie":"[redacted]"},"x":"y"}',
    ],
    [
      'headers in JSON in a text',
      JSON.stringify({ a: JSON.stringify({ headers: { accept: 'b', 'x-own': 'c' } }, null, 1) }),
      JSON.stringify({
        a: JSON.stringify({ headers: { accept: 'b', 'x-own': '[redacted]' } }, null, 1),
      }),
    ],
    [
      'a credential after an object named headers',
      '{"headers":{"a":{"secret":"x"}},"token":"y"}',
      '{"headers":{"a":{"secret":"[redacted]"}},"token":"[redacted]"}',
    ],
    ['headers cut off', '{"headers":{"x-own":"ab', '{"headers":{"x-own":"[redacted]'],
    ['headers cut off in a name', '{"headers":{"x-own', '{"headers":{"x-own'],
  ];
  for (const [what, text, expected] of cases) {
    test(what, () => {
      assert.equal(redact(text), expected);
      assert.equal(redact(expected), expected);
    });
  }
});

/** Serializers for HTML escape quotes in this way. */
describe('JSON in a text whose quotes are written with a code', () => {
  const inner = String.raw`{\u0022password\u0022:\u0022a\\\u0022b\u0022,\u0022x\u0022:\u0022y\u0022}`;

  test('stays unchanged without a credential', () => {
    const body = Buffer.from(`{"arguments":"${inner.replace('password', 'pass')}"}`);
    assert.equal(redactBody(body), body);
  });
});

describe('texts in the form of a credential', () => {
  const forms: [string, string][] = [
    ['ours', createSecret('lkat_')],
    ['ours, of OAuth', createSecret('lkoat_')],
    ['OpenAI', `sk-proj-${RANDOM}`],
    ['Anthropic', `sk-ant-api03-${RANDOM}-AA`],
    ['Google', `AIza${RANDOM.slice(0, 35)}`],
    ['Groq', `gsk_${RANDOM}`],
    ['Hugging Face', `hf_${RANDOM}`],
    ['xAI', `xai-${RANDOM}`],
    ['AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['GitHub', `ghp_${RANDOM}`],
    ['GitHub, fine-grained', `github_pat_${RANDOM}`],
    ['Slack', `xoxb-123456789012-${RANDOM}`],
    ['a signed token', JWT],
    ['a private key', PEM],
    ['a private key in JSON', JSON.stringify(PEM).slice(1, -1)],
    ['a private key in JSON in a text', JSON.stringify(JSON.stringify(PEM)).slice(3, -3)],
  ];
  for (const [name, secret] of forms) {
    test(name, () => {
      const places: [string, string][] = [
        ['', ''],
        ['my key is ', ', keep it'],
        ['{"text":"', '"}'],
        [String.raw`{"text":"\n`, String.raw`\n"}`],
        [String.raw`{"a":"{\"b\":\"\\n`, String.raw`\"}"}`],
        ['https://host/path?key=', '&a=b'],
        [String.raw`x\u000a`, ''],
        ['(', ')'],
        ['a=%22', '%22&b=c'],
      ];
      for (const [before, behind] of places) {
        assert.equal(redact(before + secret + behind), `${before}[redacted]${behind}`);
      }
    });
  }

  test('a credential after Bearer', () => {
    assert.equal(redact(`Authorization: Bearer ${RANDOM}==`), 'Authorization: Bearer [redacted]');
    assert.equal(
      redact(`-H "authorization: bearer  abc/def+${RANDOM}"`),
      '-H "authorization: bearer  [redacted]"',
    );
    assert.equal(redact(String.raw`"Bearer abc\/def1234567890123"`), '"Bearer [redacted]"');
  });

  test('a credential after Basic', () => {
    const credentials = Buffer.from('name:a long password').toString('base64');
    assert.equal(redact(`Authorization: Basic ${credentials}`), 'Authorization: Basic [redacted]');
    assert.equal(redact(`{"x":"basic  ${credentials}"}`), '{"x":"basic  [redacted]"}');
  });

  test('a credential with escaped characters', () => {
    const text = String.raw`{"a":"Bearer abcdefgh\u002Bijkl\u002fmnop1234\u0022"}`;
    assert.equal(redact(text), String.raw`{"a":"Bearer [redacted]\u0022"}`);
  });

  const cutOff = [PEM.slice(0, 60), JSON.stringify(PEM).slice(1, 60), PEM.slice(0, -10)];
  for (const text of cutOff) {
    test(`a truncated private key: ${JSON.stringify(text.slice(-12))}`, () => {
      assert.ok(!redact(`x ${text}`).includes(RANDOM.slice(0, 10)));
      assert.ok(redact(`x ${text}`).startsWith('x [redacted]'));
    });
  }

  const harmless = [
    'a task-based-approach-to-something-else',
    'use sk-learn-contrib-and-its-many-friends',
    'sk-short1',
    'the bearer of bad news, Bearer authentication',
    'Basic Internationalization and basic AUTHENTICATION',
    `Basic ${RANDOM}`,
    '100%25 sure, 5%AIza',
    'AKIA and AIza',
    'lkat_tooshort',
    `disk-${RANDOM}`,
    '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    '-----BEGIN ',
    'eyJhbGciOiJIUzI1NiJ9',
    RANDOM,
  ];
  for (const text of harmless) {
    test(`no credential: ${text.slice(0, 40)}`, () => assert.equal(redact(text), text));
  }

  test('a credential in a short text', () => {
    assert.equal(redactText('gpt-4o-mini'), 'gpt-4o-mini');
    assert.equal(redactText(`models/AIza${RANDOM}:generate`), 'models/[redacted]:generate');
  });
});

describe('any bytes', () => {
  const pieces = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ':',
      ',',
      ' ',
      '\n',
      'data: ',
      '\\n',
      '\\"',
      '\\\\',
      'sk-',
      '"password"',
      '"headers":{',
      '\\"token\\"',
      'Bearer ',
      '-----BEGIN ',
      'PRIVATE KEY-----',
      'lkat_',
      'eyJ',
      '.eyJ',
      '-----END ',
      '"a":"b"',
      RANDOM,
      PEM,
      JWT,
      `sk-${RANDOM}`,
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
  );
  const texts = fc.array(pieces, { maxLength: 24 }).map((list) => Buffer.from(list.join('')));
  const bodies = fc.oneof(
    texts,
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    fc.json().map((text) => Buffer.from(text)),
  );

  test('never fail, grow little, and do not change when they are redacted again', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const copy = Buffer.from(body);
        const redacted = redactBody(body);
        assert.deepEqual(body, copy, 'the redaction does not change its input');
        assert.ok(redacted.length <= 2 * body.length + 10);
        assert.deepEqual(Buffer.from(redactBody(redacted)), Buffer.from(redacted));
      }),
      { numRuns: 1_000 },
    );
  });

  test('only the replaced parts change', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const parts = Buffer.from(redactBody(body)).toString('latin1').split('[redacted]');
        let rest = body.toString('latin1');
        for (const part of parts) {
          const at = rest.indexOf(part);
          assert.ok(at >= 0);
          rest = rest.slice(at + part.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  const words = fc
    .stringMatching(/^[a-z]{1,8}$/)
    .filter((word) => !['pwd', 'token', 'secret'].includes(word));
  test('JSON without credentials is returned without a copy', () => {
    const values = fc.letrec((tie) => ({
      value: fc.oneof(words, fc.integer(), fc.boolean(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(words, tie('value'), { maxKeys: 3 }),
    })).value;
    fc.assert(
      fc.property(values, fc.boolean(), (value, isNested) => {
        const text = JSON.stringify(isNested ? { text: JSON.stringify(value) } : value);
        const body = Buffer.from(text);
        assert.equal(redactBody(body), body);
      }),
      { numRuns: 1_000 },
    );
  });

  test('JSON stays valid JSON', () => {
    const names = fc.constantFrom('password', 'headers', 'token', 'a', 'api_key', 'arguments');
    const { value: values } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.constantFrom(PEM, JWT, `sk-${RANDOM}`, `Bearer ${RANDOM}`, 'C:\\new\\table'),
        tie('text'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 3 }),
      ),
      text: tie('value').map((value) => JSON.stringify(value)),
    }));
    fc.assert(
      fc.property(values, (value) => {
        const redacted = redact(JSON.stringify(value));
        assert.doesNotThrow(() => JSON.parse(redacted), redacted);
      }),
      { numRuns: 600 },
    );
  });
});

describe('the credentials of the request', () => {
  const secret = 'a key/without a known form';
  const redactWith = (text: string, ...secrets: string[]): string =>
    Buffer.from(redactBody(Buffer.from(text), secrets)).toString();

  test('are replaced everywhere in a body', () => {
    assert.equal(redactWith(`x${secret}y ${secret}`, secret), 'x[redacted]y [redacted]');
    assert.equal(
      redactWith(String.raw`{"a":"a key\/without a known form"}`, secret),
      '{"a":"[redacted]"}',
    );
    assert.equal(redactWith('{"a":"schlüssel ü"}', 'schlüssel ü'), '{"a":"[redacted]"}');
  });

  test('stay if they have fewer than 8 characters, which may occur anywhere', () => {
    assert.equal(
      redactWith('the 1234567 and 12345678', '1234567', '12345678'),
      'the 1234567 and [redacted]',
    );
  });

  test('come from header fields that authenticate', () => {
    const { credentials } = new HeaderAllowList().apply([
      'Host',
      'api.test',
      'Authorization',
      'Bearer abc',
      'X-Api-Key',
      'd e f',
      'X-Own',
      'g',
    ]);
    assert.deepEqual(credentials, ['abc', 'd e f']);
  });

  test('are at most 8 different ones, because each takes a search of the bodies', () => {
    const { credentials } = new HeaderAllowList().apply(
      Array.from({ length: 18 }, (_, i) => ['Token', `credential ${i >> 1}`]).flat(),
    );
    assert.deepEqual(
      credentials,
      Array.from({ length: 8 }, (_, i) => `credential ${i}`),
    );
  });
});

/** Bodies that cost quadratic time if a pattern looks at a part more than a bounded number of times. */
describe('the time of a redaction', () => {
  const units = [
    '"',
    '\\',
    '\\"',
    '"a":',
    '"password":"',
    '"headers":{',
    '"token":"a",',
    '"a" ',
    '"\\u0061',
    'lk',
    'eyJ',
    'eyJ.',
    '.eyJ',
    'sk-',
    'bearer ',
    'bearer a',
    'Bearer A1',
    '\\u002b',
    'basic YWFh',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '\\n',
    '-----END ',
    '%41sk-',
    'AKIA',
    '"logprob":1,',
    ' ',
    'a',
    'A',
  ];
  // Far more than linear time takes on a busy machine, and far less than quadratic time.
  const MAX_MS = 5_000;
  const BYTES = 1_000_000;

  const timeOf = (before: string, unit: string): number => {
    const body = Buffer.from(before + unit.repeat(BYTES / unit.length));
    const startMs = performance.now();
    redactBody(body, ['a key without a known form']);
    return performance.now() - startMs;
  };

  test('is linear for any repeated text', () => {
    for (const unit of units) assert.ok(timeOf('', unit) < MAX_MS, unit);
    const repeated = fc
      .array(fc.constantFrom(...units), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(repeated, repeated, (before, unit) => {
        assert.ok(timeOf(before, unit) < MAX_MS);
      }),
      { numRuns: 40 },
    );
  });
});
