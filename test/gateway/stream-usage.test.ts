import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readBodyMembers } from '../../src/gateway/json/body-members.ts';
import { editBody } from '../../src/gateway/routing/model-field.ts';

const MAX_DEPTH = 64;

async function ask(text: string): Promise<string | undefined> {
  const body = Buffer.from(text);
  const members = await readBodyMembers(body, MAX_DEPTH);
  if (typeof members === 'string' || members.usageEdit === undefined) return undefined;
  return editBody(body, [members.usageEdit]).toString();
}

const asked: [string, string, string][] = [
  [
    'nothing is said of it',
    '{"model":"m","stream":true,"seed":12345678901234567890}',
    '{"stream_options":{"include_usage":true},"model":"m","stream":true,"seed":12345678901234567890}',
  ],
  [
    'other options stay, numbers and doubled keys as they are written',
    '{"n":1.0,"n":1e0,"stream_options":{ "include_obfuscation":false, "x":1.50 },"stream" : true }',
    '{"n":1.0,"n":1e0,"stream_options":{"include_usage":true, "include_obfuscation":false, "x":1.50 },"stream" : true }',
  ],
  [
    'no options',
    '{"stream":true,"stream_options":{ }}',
    '{"stream":true,"stream_options":{"include_usage":true }}',
  ],
  [
    'null',
    '{"stream":true,"stream_options":null}',
    '{"stream":true,"stream_options":{"include_usage":true}}',
  ],
  [
    'the opposite is asked for',
    '{"stream":true,"stream_options":{"include_usage":false}}',
    '{"stream":true,"stream_options":{"include_usage":true}}',
  ],
  [
    'neither is asked for',
    '{"stream":true,"stream_options":{"include_usage": null}}',
    '{"stream":true,"stream_options":{"include_usage": true}}',
  ],
  [
    'the names in a text, and deeper, are others',
    String.raw`{"stream":true,"x":"\"stream_options\":{\"include_usage\":true}","y":{"stream_options":{"include_usage":true}}}`,
    String.raw`{"stream_options":{"include_usage":true},"stream":true,"x":"\"stream_options\":{\"include_usage\":true}","y":{"stream_options":{"include_usage":true}}}`,
  ],
  [
    'a member of an option is another one',
    '{"stream":true,"stream_options":{"x":{"include_usage":true}}}',
    '{"stream":true,"stream_options":{"include_usage":true,"x":{"include_usage":true}}}',
  ],
  [
    'it is asked for in some other way',
    '{"stream":true,"stream_options":{"include_usage": 1 ,"x":2}}',
    '{"stream":true,"stream_options":{"include_usage": true ,"x":2}}',
  ],
  [
    'it is asked for by an object',
    '{"stream":true,"stream_options":{"x":1,"include_usage":{"a":[true,"}"]}}}',
    '{"stream":true,"stream_options":{"x":1,"include_usage":true}}',
  ],
  [
    'options that are none',
    '{"stream_options":[1,{"include_usage":true}] ,"stream":true}',
    '{"stream_options":{"include_usage":true} ,"stream":true}',
  ],
  [
    'a stream in escapes',
    String.raw`{"str\u0065am":true}`,
    String.raw`{"stream_options":{"include_usage":true},"str\u0065am":true}`,
  ],
  [
    'options and their members in escapes',
    String.raw`{"stream":true,"stream\u005foptions":{"include\u005fusage":false}}`,
    String.raw`{"stream":true,"stream\u005foptions":{"include\u005fusage":true}}`,
  ],
  [
    'white space in front',
    ' \n{"stream":true}',
    ' \n{"stream_options":{"include_usage":true},"stream":true}',
  ],
];
for (const [what, text, expected] of asked) {
  test(`asks for the usage: ${what}`, async () => {
    assert.equal(await ask(text), expected);
  });
}

const notAsked: [string, string][] = [
  ['no stream', '{"model":"m"}'],
  ['a stream is not wanted', '{"stream":false}'],
  ['a stream that is no boolean', '{"stream":"true"}'],
  ['it is asked for already', '{"stream":true,"stream_options":{"include_usage":true}}'],
  ['no object', '[{"stream":true}]'],
  ['broken JSON', '{"stream":true'],
  ['nothing', ''],
];
for (const [what, text] of notAsked) {
  test(`leaves a body as it is: ${what}`, async () => {
    assert.equal(await ask(text), undefined);
  });
}

const SPACE = ' '.repeat(64 * 1024);
const ambiguous: [string, string][] = [
  ['a stream that is wanted and not', '{"stream":true,"stream":false}'],
  ['a stream that is not wanted and is', String.raw`{"stream":false,"str\u0065am":true}`],
  ['usage twice', '{"stream":true,"stream_options":{"include_usage":null,"include_usage":false}}'],
  ['options twice', '{"stream":true,"stream_options":{},"stream_options":null}'],
  ['two models', '{"model":"a","x":1,"model":"a"}'],
  ['two models, one in escapes', String.raw`{"model":"a","mod\u0065l":"b"}`],
];
for (const [what, text] of ambiguous) {
  test(`a body that providers may read in two ways is refused: ${what}`, async () => {
    assert.equal(await readBodyMembers(Buffer.from(text), MAX_DEPTH), 'ambiguous');
  });
}

test('white space without end hides nothing', async () => {
  for (const text of [
    `{"model"${SPACE}:"a"}`,
    `{"model":${SPACE}"a"}`,
    `{"stream":true,"stream_options":{${SPACE}}}`,
  ]) {
    assert.equal(typeof (await readBodyMembers(Buffer.from(text), MAX_DEPTH)), 'string');
  }
});

test('what a body says of its stream, and whether it has data of its own', async () => {
  for (const [text, stream, hasDataSources] of [
    ['{}', 'false', false],
    ['{"stream":null,"data_sources":null}', 'false', false],
    ['{"stream":true,"data_sources":[]}', 'true', true],
    ['{"stream":"true"}', 'odd', false],
    ['{"stream":1}', 'odd', false],
  ] as const) {
    const members = await readBodyMembers(Buffer.from(text), MAX_DEPTH);
    assert.ok(typeof members === 'object');
    assert.deepEqual([members.stream, members.hasDataSources], [stream, hasDataSources]);
  }
});

test('any request for a stream means the same as before, and asks for the usage', async () => {
  const members = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });
  const spaces = fc.constantFrom(undefined, 1, '\t');
  await fc.assert(
    fc.asyncProperty(
      members,
      fc.option(members, { nil: undefined }),
      spaces,
      async (rest, options, space) => {
        const {
          stream: _stream,
          stream_options: _options,
          data_sources: _sources,
          ...others
        } = rest;
        const { include_usage: _usage, ...other } = options ?? {};
        const given = { ...others, stream: true, ...(options && { stream_options: other }) };
        const text = JSON.stringify(given, null, space);
        const result = await ask(text);
        assert.ok(result);
        const expected = {
          ...JSON.parse(text),
          stream_options: { ...JSON.parse(JSON.stringify(other)), include_usage: true },
        };
        assert.deepEqual(JSON.parse(result), expected);
        const inserted = /"stream_options":\{"include_usage":true\},|"include_usage":true,?/;
        assert.equal(result.replace(inserted, ''), text);
      },
    ),
    { numRuns: 1_000 },
  );
});
