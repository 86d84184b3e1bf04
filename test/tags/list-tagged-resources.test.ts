import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { onEachDatabase } from '../support/databases.ts';
import { type TestServer, bootServer } from '../support/server.ts';
import { type Tagging, createTagging, query } from './tagging.ts';

const FOUR_BYTES = '𝒜';

onEachDatabase((database) => {
  let server: TestServer;
  let tagging: Tagging;
  before(async () => {
    server = await bootServer(database);
    tagging = createTagging(server);
    await tagging.put('worker', 'web', { env: 'prod', team: 'core', list: 'a,b' });
    await tagging.put('worker', 'api', { env: 'staging', team: 'core' }, { name: 'Straßen-API' });
    await tagging.put('zone', 'web', { env: 'prod', path: 'c:\\dir\\', equation: 'a=b' });
    await tagging.put('queue', 'jobs', { Env: 'PROD', note: '' }, { name: '100%_sure\\' });
  });
  after(() => server.stop());

  const list = (...parameters: [string, string][]) =>
    tagging.list(`resources?${query(...parameters)}`);

  async function refuses(parameters: [string, string][], code: number, message: string) {
    const answer = await list(...parameters);
    assert.deepEqual([answer.status, answer.json?.errors], [400, [{ code, message }]], answer.text);
  }

  const everything = ['web', 'api', 'web', 'jobs'];
  const filters: [string, [string, string][], string[]][] = [
    ['no filter', [], everything],
    ['key', [['tag', 'env']], ['web', 'api', 'web']],
    ['key=value', [['tag', 'env=prod']], ['web', 'web']],
    ['key=v1,v2', [['tag', 'env=prod,staging,none']], ['web', 'api', 'web']],
    ['!key', [['tag', '!env']], ['jobs']],
    ['key!=value, also without the key', [['tag', 'env!=prod']], ['api', 'jobs']],
    ['key!=v1,v2', [['tag', 'env!=prod,staging']], ['jobs']],
    ['key= is the empty value', [['tag', 'note=']], ['jobs']],
    ['key!= is the empty value', [['tag', 'note!=']], ['web', 'api', 'web']],
    ['a list with the empty value', [['tag', 'note=x,']], ['jobs']],
    ['the first = splits', [['tag', 'equation=a=b']], ['web']],
    ['an escaped comma', [['tag', String.raw`list=a\,b`]], ['web']],
    ['a comma that is not escaped', [['tag', 'list=a,b']], []],
    ['escaped backslashes', [['tag', String.raw`path=c:\\dir\\`]], ['web']],
    ['backslashes that escape nothing', [['tag', String.raw`path=c:\dir\\`]], ['web']],
    ['an unknown key', [['tag', 'none']], []],
    ['an unknown value', [['tag', 'env=none']], []],
    ['not an unknown key', [['tag', '!none']], everything],
    [
      'filters are ANDed',
      [
        ['tag', 'env=prod'],
        ['tag', 'team'],
      ],
      ['web'],
    ],
    [
      'a filter and its negation',
      [
        ['tag', 'env'],
        ['tag', '!env'],
      ],
      [],
    ],
    [
      'only negations',
      [
        ['tag', '!path'],
        ['tag', 'team!=core'],
      ],
      ['jobs'],
    ],
    ['keys and values are case-sensitive', [['tag', 'Env=prod']], []],
    ['one type', [['type', 'worker']], ['web', 'api']],
    [
      'types are ORed',
      [
        ['type', 'queue'],
        ['type', 'zone'],
      ],
      ['web', 'jobs'],
    ],
    [
      'a type and a filter',
      [
        ['type', 'zone'],
        ['tag', 'env=prod'],
      ],
      ['web'],
    ],
    [
      'a type without such tags',
      [
        ['type', 'queue'],
        ['tag', 'env=prod'],
      ],
      [],
    ],
    ['a type without resources', [['type', 'image']], []],
    [
      'ids',
      [
        ['id', 'jobs'],
        ['id', 'api'],
        ['id', 'none'],
      ],
      ['api', 'jobs'],
    ],
    ['an id of several types', [['id', 'web']], ['web', 'web']],
    [
      'an id and a filter',
      [
        ['id', 'web'],
        ['tag', 'team'],
      ],
      ['web'],
    ],
    ['a part of the name', [['name', 'SSEN-a']], ['api']],
    ['a name that is a pattern elsewhere', [['name', '0%_S']], ['jobs']],
    ['a pattern that is no name', [['name', '1%sure']], []],
    ['a name with a backslash', [['name', '\\']], ['jobs']],
    ['an empty name', [['name', '']], everything],
  ];
  for (const [name, parameters, expected] of filters) {
    test(`200: ${name}`, async () => {
      assert.deepEqual(await tagging.ids(...parameters), expected);
    });
  }

  test('200: case_insensitive', async () => {
    const on: [string, string] = ['case_insensitive', 'true'];
    const off: [string, string] = ['case_insensitive', 'false'];
    assert.deepEqual(await tagging.ids(['tag', 'ENV=Prod'], on), ['web', 'web', 'jobs']);
    assert.deepEqual(await tagging.ids(['tag', 'ENV!=Prod'], on), ['api']);
    assert.deepEqual(await tagging.ids(['tag', 'eNV'], on), everything);
    assert.deepEqual(await tagging.ids(['tag', '!eNV'], on), []);
    assert.deepEqual(await tagging.ids(['tag', 'eNV=x,STAGING'], on), ['api']);
    assert.deepEqual(await tagging.ids(['tag', 'ENV=Prod'], off), []);
    const { result } = (await list(['tag', 'ENV=Prod'], ['type', 'queue'], on)).json;
    assert.deepEqual(result[0].tags, { Env: 'PROD', note: '' });
  });

  test('200: an empty array when nothing matches', async () => {
    const answer = await list(['tag', 'none']);
    assert.equal(answer.status, 200);
    assert.deepEqual([answer.json.result, answer.json.result_info], [[], { count: 0 }]);
  });

  test('200: a resource keeps its place while it has tags', async () => {
    await tagging.put('image', '1', { place: 'x' });
    await tagging.put('image', '2', { place: 'x' });
    await tagging.put('image', '1', { place: 'x', more: 'y' });
    assert.deepEqual(await tagging.ids(['type', 'image']), ['1', '2']);
    await tagging.remove('image', '1');
    await tagging.put('image', '1', { place: 'x' });
    assert.deepEqual(await tagging.ids(['type', 'image']), ['2', '1']);
    await tagging.remove('image', '1');
    await tagging.remove('image', '2');
  });

  test('200: filters up to their limits', async () => {
    const twenty = Array.from({ length: 20 }, (): [string, string] => ['tag', '!none']);
    assert.equal((await tagging.ids(...twenty)).length, 4);
    assert.deepEqual(await tagging.ids(['tag', 'env=1,2,3,4,5,6,7,8,9,prod']), ['web', 'web']);
    for (const letter of ['k', FOUR_BYTES]) {
      const longest = `${letter.repeat(256)}=${letter.repeat(1_024)}`;
      assert.deepEqual(await tagging.ids(['tag', longest]), []);
    }
    const ids = Array.from({ length: 50 }, (_, i): [string, string] => ['id', `x${i}`]);
    assert.deepEqual(await tagging.ids(...ids), []);
  });

  test('1006 Invalid resource type', async () => {
    for (const type of ['nope', '', '__proto__']) {
      await refuses(
        [
          ['type', 'zone'],
          ['type', type],
        ],
        1006,
        'Invalid resource type',
      );
    }
  });

  test('1007: syntax of a filter', async () => {
    const message = 'tag parameter must be in format key, key=value, key=v1,v2, !key or key!=value';
    for (const filter of ['', '!', '=', '=v', '!=v', '!=', '!k=v', '!k!=v', '!!k']) {
      await refuses([['tag', filter]], 1007, message);
    }
  });

  test('1010: more than 20 filters', async () => {
    const many = Array.from({ length: 21 }, (): [string, string] => ['tag', 'env']);
    await refuses(many, 1010, 'too many tag filters (maximum 20)');
  });

  test('1011: a key that is too long', async () => {
    const message = 'tag key too long (maximum 256 characters)';
    for (const letter of ['k', FOUR_BYTES]) {
      for (const filter of ['K', '!K', 'K=v', 'K!=v']) {
        await refuses([['tag', filter.replace('K', letter.repeat(257))]], 1011, message);
      }
    }
  });

  test('1012: a value that is too long', async () => {
    const message = 'tag value too long (maximum 1024 characters)';
    for (const letter of ['v', FOUR_BYTES]) {
      for (const filter of ['k=V', 'k!=V', 'k=a,V']) {
        await refuses([['tag', filter.replace('V', letter.repeat(1_025))]], 1012, message);
      }
    }
    const escaped = String.raw`\,`.repeat(1_024);
    assert.deepEqual(await tagging.ids(['tag', `k=${escaped}`]), []);
  });

  test('1013: more than 10 values', async () => {
    const message = 'too many OR values in tag filter (maximum 10)';
    await refuses([['tag', 'k=1,2,3,4,5,6,7,8,9,10,11']], 1013, message);
    await refuses([['tag', 'k!=,,,,,,,,,,']], 1013, message);
  });

  test('1014: a key that is none', async () => {
    for (const filter of ['a b', 'a!b', 'k!', 'a,b=c', '%']) {
      await refuses([['tag', filter]], 1014, 'Invalid tag key');
    }
  });

  test('of several faults the first in the order of checks is told', async () => {
    const long = 'v'.repeat(1_025);
    const eleven = `${long},1,2,3,4,5,6,7,8,9,10`;
    const cases: [[string, string][], number][] = [
      [Array.from({ length: 21 }, () => ['tag', '=']), 1010],
      [[['tag', `!${'!'.repeat(257)}=${eleven}`]], 1007],
      [[['tag', `${' '.repeat(257)}=${eleven}`]], 1013],
      [[['tag', `${' '.repeat(257)}=${long}`]], 1011],
      [[['tag', `a b=${long}`]], 1014],
      [
        [
          ['tag', `k=${long}`],
          ['tag', '='],
        ],
        1012,
      ],
      [
        [
          ['type', 'nope'],
          ['tag', `k=${long}`],
        ],
        1012,
      ],
      [
        [
          ['type', 'nope'],
          ['cursor', 'x'],
        ],
        1006,
      ],
    ];
    for (const [parameters, code] of cases) {
      const answer = await list(...parameters);
      assert.deepEqual([answer.status, answer.code], [400, code], answer.text);
    }
  });

  test('6010: other parameters', async () => {
    const ids = Array.from({ length: 51 }, (_, i): [string, string] => ['id', `x${i}`]);
    for (const parameters of [
      ids,
      [['limit', '0']],
      [['limit', '1001']],
      [['limit', 'many']],
      [['case_insensitive', 'yes']],
      [
        ['name', 'a'],
        ['name', 'b'],
      ],
    ] as [string, string][][]) {
      const answer = await list(...parameters);
      assert.deepEqual([answer.status, answer.code], [400, 6010], answer.text);
    }
    assert.equal((await tagging.list('resources?tag=a%00')).code, 6010);
  });

  test('401: no credential', async () => {
    for (const rest of ['resources', 'keys', 'values/a', 'values', 'summary']) {
      const path = `${server.account}/tags/${rest}`;
      assert.equal((await server.call('GET', path, { token: null })).status, 401);
    }
  });
});
