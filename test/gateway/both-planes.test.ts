import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../support/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type TestServer, allowPolicy, bootServer, request } from '../support/server.ts';

const MINUTE_MS = 60_000;
const OWN_ADDRESSES = ['127.0.0.1', '::1'];

/** An API token; times are minutes after its creation. */
interface TokenCase {
  isDisabled: boolean;
  validFrom: number | undefined;
  validUntil: number | undefined;
  addresses: string[] | undefined;
  /** The last character of the token is wrong. */
  isMistyped: boolean;
}

const minutes = (min: number) => fc.option(fc.integer({ min, max: 3 }), { nil: undefined });
const tokens: fc.Arbitrary<TokenCase> = fc.record({
  isDisabled: fc.boolean(),
  validFrom: minutes(0),
  validUntil: minutes(1),
  addresses: fc.option(fc.constantFrom(OWN_ADDRESSES, ['192.0.2.1']), { nil: undefined }),
  isMistyped: fc.boolean(),
});

onEachDatabase((database) => {
  const clock = new ManualClock();
  let server: TestServer;
  before(async () => {
    server = await bootServer(database, { clock });
  });
  after(() => server.stop());

  const at = (minute: number | undefined): string | undefined =>
    minute === undefined ? undefined : new Date(clock.now() + minute * MINUTE_MS).toISOString();

  async function create(token: TokenCase): Promise<string> {
    const policies = [
      allowPolicy(server.accountId, ['ai-gateway.run']),
      allowPolicy(server.accountId, ['ai-gateway.read']),
    ];
    const { addresses } = token;
    const body = {
      name: 'case',
      policies,
      not_before: at(token.validFrom),
      expires_on: at(token.validUntil),
      ...(addresses && { condition: { request_ip: { in: addresses } } }),
    };
    const { json, text } = await server.call('POST', `${server.account}/tokens`, { body });
    assert.ok(json.success, text);
    const { id, value } = json.result;
    if (token.isDisabled) {
      const path = `${server.account}/tokens/${id}`;
      const disabled = await server.call('PUT', path, { body: { ...body, status: 'disabled' } });
      assert.equal(disabled.status, 200, disabled.text);
    }
    return token.isMistyped ? `${value.slice(0, -1)}${value.endsWith('a') ? 'b' : 'a'}` : value;
  }

  function isValid(token: TokenCase, minute: number): boolean {
    const { isDisabled, validFrom = 0, validUntil = Infinity, addresses, isMistyped } = token;
    const isInTime = validFrom <= minute && minute < validUntil;
    return !isDisabled && !isMistyped && isInTime && (addresses ?? OWN_ADDRESSES) === OWN_ADDRESSES;
  }

  async function statuses(
    value: string,
  ): Promise<{ management: number; rest: number; host: number }> {
    const authorization = `Bearer ${value}`;
    const body = { messages: [{ role: 'user', content: 'hello' }] };
    const [management, rest, host] = await Promise.all([
      request('GET', `${server.baseUrl}${server.account}/ai-gateway/gateways`, {
        headers: { authorization },
      }),
      request('POST', `${server.baseUrl}${server.account}/ai/v1/chat/completions`, {
        headers: { authorization },
        body: { ...body, model: 'local/echo' },
      }),
      request('POST', `${server.origin}/v1/${server.accountId}/default/local/chat/completions`, {
        headers: { 'cf-aig-authorization': authorization },
        body: { ...body, model: 'echo' },
      }),
    ]);
    return { management: management.status, rest: rest.status, host: host.status };
  }

  test('the management API and the gateway accept the same tokens', async () => {
    await fc.assert(
      fc.asyncProperty(tokens, fc.nat({ max: 4 }), async (token, minute) => {
        fc.pre(token.validUntil === undefined || token.validUntil > (token.validFrom ?? 0));
        const value = await create(token);
        clock.advance(minute * MINUTE_MS);
        const { management, rest, host } = await statuses(value);
        if (isValid(token, minute)) {
          assert.deepEqual([management, rest, host], [200, 200, 200]);
        } else {
          assert.ok(management === 401 || management === 403, String(management));
          assert.deepEqual([rest, host], [401, 401]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
