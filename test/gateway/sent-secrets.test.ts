import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { holdsOwnSecret } from '../../src/gateway/http-headers.ts';
import { leavesProvider } from '../../src/gateway/providers/native-path.ts';
import { SecretMask } from '../../src/gateway/execution/secret-mask.ts';
import { createSecret } from '../../src/lib/secrets.ts';
import { AnsweringUpstream, chatCompletion } from '../support/answering-upstream.ts';
import { onEachDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, type TestServer, bootServer, request } from '../support/server.ts';

const STORED = 'a-key-without-a-known-form';
const BODY = { model: 'claude-x', max_tokens: 4, messages: [{ role: 'user', content: 'hi' }] };

onEachDatabase((database) => {
  let server: TestServer;
  let upstream: AnsweringUpstream;
  before(async () => {
    upstream = await AnsweringUpstream.start();
    server = await bootServer(database, {
      settings: {
        PROVIDER_ANTHROPIC_BASE_URL: upstream.baseUrl,
        PROVIDER_ANTHROPIC_API_KEY: STORED,
        PROVIDER_OPENAI_BASE_URL: upstream.baseUrl,
        PROVIDER_OPENAI_API_KEY: STORED,
      },
    });
  });
  after(async () => {
    await server.stop();
    upstream.stop();
  });

  function native(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return request('POST', `${server.origin}/v1/${server.accountId}/default/${path}`, {
      body: BODY,
      headers: { 'cf-aig-authorization': `Bearer ${server.token}`, ...headers },
    });
  }

  describe('a provider that repeats the stored key', () => {
    const hidden = '*'.repeat(STORED.length);

    async function logOf(answer: Answer): Promise<string> {
      const logs = `${server.account}/ai-gateway/gateways/default/logs`;
      const id = answer.headers.get('cf-aig-log-id') ?? '';
      let details = '';
      await eventually('the call is logged', async () => {
        const { status, text } = await server.call('GET', `${logs}/${id}`);
        details = text;
        return status === 200;
      });
      return details + (await server.call('GET', `${logs}/${id}/response`)).text;
    }

    test('in an error and in a header: neither the client nor the log gets it', async () => {
      upstream.respond = ({ headers }, response) => {
        const key = String(headers['x-api-key']);
        const repeated = { 'content-type': 'application/json', 'request-id': key };
        response.writeHead(401, repeated).end(JSON.stringify({ error: `wrong key: ${key}` }));
      };
      const answer = await native('anthropic/v1/messages');
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.json, { error: `wrong key: ${hidden}` });
      assert.equal(answer.headers.get('request-id'), hidden);
      assert.equal((await logOf(answer)).includes(STORED), false);
    });

    test('in a stream, divided anywhere', async () => {
      const event = `data: {"text":"${STORED}"}\n\n`;
      for (const cut of [8, 20, event.indexOf(STORED) + 1, event.indexOf('}') - 2]) {
        upstream.respond = (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(event.slice(0, cut));
          setTimeout(() => response.end(`${event.slice(cut)}data: [DONE]\n\n`), 20);
        };
        const { text } = await native('openai/chat/completions');
        assert.equal(text, `data: {"text":"${hidden}"}\n\ndata: [DONE]\n\n`, String(cut));
      }
    });

    test('a key of the client passes unchanged', async () => {
      upstream.respond = ({ headers }, response) => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: headers['x-api-key'] }));
      };
      const answer = await native('anthropic/v1/messages', {
        'x-api-key': 'the-own-key-of-a-client',
      });
      assert.deepEqual(answer.json, { error: 'the-own-key-of-a-client' });
    });
  });

  describe('a credential of this server', () => {
    const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

    test('never reaches a provider, in no header and no form', async () => {
      upstream.answer(chatCompletion('x'));
      const encoded = server.token.replace('_', '%5F');
      for (const headers of [
        { authorization: `Bearer ${server.token}` },
        { authorization: basic(`user:${server.token}`) },
        { authorization: basic(`${server.token}:`) },
        { authorization: `Bearer ${encoded}` },
        { authorization: `Bearer ${encodeURIComponent(encoded)}` },
        { 'x-api-key': server.token },
        { 'x-custom': `a ${encoded} b` },
      ] as Record<string, string>[]) {
        upstream.received.length = 0;
        const answer = await native('openai/chat/completions', headers);
        assert.equal(answer.status, 200, answer.text);
        const [call] = upstream.received;
        // The provider gets the stored key instead.
        assert.equal(call?.headers.authorization, `Bearer ${STORED}`);
        const sent = decodeURIComponent(decodeURIComponent(JSON.stringify(call?.headers)));
        assert.equal(sent.includes(server.token), false);
      }
    });

    test('in a URL: 400, without a call', async () => {
      const encoded = server.token.replace('_', '%5f');
      upstream.received.length = 0;
      for (const value of [server.token, encoded, encodeURIComponent(encoded)]) {
        const { status, json } = await native(`openai/chat/completions?key=${value}`);
        assert.deepEqual([status, json.internalCode], [400, 2026], value);
      }
      assert.equal(upstream.received.length, 0);
    });
  });

  test('dot segments that only some servers resolve: 400, without a call', async () => {
    upstream.received.length = 0;
    for (const path of [
      '..%23x/y',
      '..;/x',
      'a/%2e%2e;x=1/y',
      '%252e%252e/x',
      'a%2f..%3fx',
      '%2e%252e%5cx',
    ]) {
      const { status, json } = await native(`openai/${path}`);
      assert.deepEqual([status, json.internalCode], [400, 2026], path);
    }
    assert.equal(upstream.received.length, 0);
  });
});

test('a mask removes each secret, however the response is divided, and nothing else', () => {
  const parts = fc.constantFrom(
    'secretsecret',
    'secret',
    'secretsecre',
    's',
    'abcdefgh',
    'abcdefg',
    '\n',
    'é',
  );
  fc.assert(
    fc.property(fc.array(parts), fc.array(fc.nat(12), { minLength: 1 }), (texts, sizes) => {
      const secrets = ['secretsecret', 'abcdefgh'];
      const body = Buffer.from(texts.join(''));
      const mask = new SecretMask(secrets);
      const passed: Buffer[] = [];
      for (let at = 0, turn = 0; at < body.length; turn++) {
        const size = 1 + (sizes[turn % sizes.length] ?? 0);
        passed.push(Buffer.from(mask.feed(body.subarray(at, at + size))));
        at += size;
      }
      passed.push(mask.end());
      const masked = Buffer.concat(passed);
      const whole = secrets.reduce(
        (text, secret) => text.replaceAll(secret, '*'.repeat(secret.length)),
        body.toString(),
      );
      assert.equal(masked.length, body.length);
      for (const secret of secrets) assert.equal(masked.includes(secret), false);
      // Divided occurrences of overlapping secrets may be masked from another place on.
      if (!texts.includes('secretsecre')) assert.equal(masked.toString(), whole);
    }),
  );
});

test('a credential is recognized in every form, and ordinary text is not', () => {
  const secret = createSecret('lkat_');
  fc.assert(
    fc.property(fc.nat(3), fc.string(), fc.string(), (depth, start, end) => {
      const before = start.replaceAll(/[\w%]/g, ' ');
      let text = `${before} ${secret} ${end.replaceAll('%', '')}`;
      for (let i = 0; i < depth; i++) text = encodeURIComponent(text.toWellFormed());
      assert.equal(holdsOwnSecret(text), true);
      assert.equal(holdsOwnSecret(`Basic ${Buffer.from(`x:${secret}`).toString('base64')}`), true);
    }),
  );
  for (const text of ['Bearer sk-proj-1', 'Basic eDp5', '100%', '%zz', 'Basic %%%', 'lk']) {
    assert.equal(holdsOwnSecret(text), false, text);
  }
});

test('no path without dot segments is refused, and every encoding of one is', () => {
  const segment = fc.stringMatching(/^[\w-][\w.-]{0,8}$/);
  fc.assert(
    fc.property(fc.array(segment), fc.nat(2), fc.constantFrom('.', '..'), (path, depth, dots) => {
      assert.equal(leavesProvider(path.join('/')), false);
      let encoded = dots.replaceAll('.', () => (depth === 0 ? '.' : '%2e'));
      for (let i = 1; i < depth; i++) encoded = encoded.replaceAll('%', '%25');
      for (const end of ['', ';x', '#x', '%23']) {
        assert.equal(leavesProvider([...path, encoded + end, 'x'].join('/')), true);
      }
    }),
  );
});
