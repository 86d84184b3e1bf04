import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  eachSpan,
  spanDraft,
  spanSeconds,
  spanWords,
  wholeNumber,
} from '../../dashboard/src/lib/time-span.ts';
import type { AccountLimits } from '../../dashboard/src/api/account-limits.ts';
import { limitLinkFor } from '../../dashboard/src/pages/analytics/limit-link.ts';
import { parseLimitSearch } from '../../dashboard/src/pages/gateways/settings/limit-search.ts';
import { fieldOfOtel } from '../../dashboard/src/pages/gateways/settings/otel-draft.ts';
import {
  rateLimitWords,
  retryWords,
} from '../../dashboard/src/pages/gateways/settings/setting-words.ts';
import {
  type RuleDraft,
  dollarsOf,
  fieldOfSpend,
  newRule,
  newRuleFor,
  readLimits,
  readSpend,
  ruleWords,
  writeLimits,
  writeSpend,
} from '../../dashboard/src/pages/gateways/settings/spend-draft.ts';

suite('settings of a gateway in words and forms', () => {
  test('a stretch of time is told in the longest unit that fits', () => {
    const spans = [1, 90, 60, 5_400, 3_600, 86_400, 2_592_000];
    assert.deepEqual(spans.map(spanWords), [
      '1 second',
      '90 seconds',
      '1 minute',
      '90 minutes',
      '1 hour',
      '1 day',
      '30 days',
    ]);
    assert.deepEqual(
      spans.map((seconds) => spanSeconds(spanDraft(seconds))),
      spans,
    );
    assert.deepEqual([eachSpan(60), eachSpan(300)], ['minute', '5 minutes']);
    assert.deepEqual(['5,000', ' 7 ', '', '1.5', '-1', '1e3'].map(wholeNumber), [
      5_000,
      7,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test('limits and retries become sentences', () => {
    const limit = { requests: 1, seconds: 86_400, technique: 'fixed' };
    assert.equal(rateLimitWords(limit), 'At most 1 request per day, reset at 00:00 UTC.');
    assert.equal(
      rateLimitWords({ ...limit, requests: 1_000, technique: 'sliding' }),
      'At most 1,000 requests in any period of 1 day.',
    );
    const retries = { attempts: 4, delayMs: 500, backoff: 'linear' };
    assert.equal(
      retryWords(retries),
      'Called up to 4 times, after a delay of 500 ms, 1 s and 1.5 s, 3 s together.',
    );
    assert.equal(
      retryWords({ ...retries, backoff: 'exponential', attempts: 3 }),
      'Called up to 3 times, after a delay of 500 ms and 1 s, 1.5 s together.',
    );
    assert.equal(retryWords({ ...retries, delayMs: 0 }), 'Called up to 4 times, without a delay.');
  });

  const rules = [
    {
      id: 'one',
      enabled: false,
      limit: 0.000_002,
      limitType: 'cost' as const,
      window: 5_400,
      technique: 'sliding' as const,
      unpriced: 'refuse' as const,
      provider: { mode: 'filter' as const, values: ['openai', 'anthropic'] },
      token: { mode: 'partition' as const },
      metadata: {
        team: { mode: 'partition' as const },
        'app.name': { mode: 'filter' as const, values: ['search'] },
      },
    },
  ];

  test('a spend rule goes through the form unchanged', () => {
    // What is switched off stays so, also without rules.
    for (const limits of [{ enabled: true, rules }, null, { enabled: false, rules: [] }]) {
      const settings = { spend_limits: limits };
      assert.deepEqual(writeSpend(readSpend(settings)), settings);
    }
    const tagged = {
      ...rules[0],
      gateway_tags: { 'team.name': { mode: 'filter', values: ['ml'] } },
    };
    const ofAccount = { enabled: true, rules: [tagged] } as AccountLimits;
    assert.deepEqual(writeLimits(readLimits(ofAccount)), ofAccount);
    assert.deepEqual(['$1,000.50', '.5', '5.', '', 'x', '-1'].map(dollarsOf), [
      1_000.5,
      0.5,
      5,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test('a row of analytics leads to a rule for what it sums up', () => {
    const place = { accountId: 'a', gatewayId: 'g' };
    const ruleFor = (by: string, value: string | null): RuleDraft | undefined => {
      const link = limitLinkFor({ ...place, by, value });
      return link && newRuleFor(parseLimitSearch({ ...link.search }));
    };
    const filter = { mode: 'filter', values: '7' };
    for (const by of ['model', 'provider', 'token', 'user', 'oauth_client'] as const) {
      assert.deepEqual(ruleFor(by, '7')?.[by], filter, by);
    }
    assert.deepEqual(ruleFor('metadata.team', '7')?.metadata, [{ key: 'team', ...filter }]);
    assert.deepEqual(ruleFor('gateway', 'g'), newRule());
    assert.deepEqual(ruleFor('tag.env', '7')?.gateway_tags, [{ key: 'env', ...filter }]);
    // Rules for tags and for several gateways belong to the account.
    const isOfAccount = (gatewayId: string | undefined, by: string): boolean => {
      const link = limitLinkFor({ accountId: 'a', gatewayId, by, value: '7' });
      return link?.to === '/accounts/$accountId/ai-gateway/spend-limits';
    };
    assert.deepEqual([isOfAccount('g', 'tag.env'), isOfAccount('g', 'user')], [true, false]);
    assert.deepEqual(
      [isOfAccount(undefined, 'tag.env'), isOfAccount(undefined, 'user')],
      [true, true],
    );
    for (const [by, value] of [
      ['status', '200'],
      ['model', null],
    ] as const) {
      assert.equal(ruleFor(by, value), undefined, by);
    }
    assert.deepEqual(parseLimitSearch({ limit_by: 'user', limit_value: 7 }), {
      limit_by: 'user',
      limit_value: '7',
    });
    assert.deepEqual(parseLimitSearch({ limit_by: ['model'], limit_value: {} }), {});
    assert.equal(newRuleFor({ limit_by: 'nothing', limit_value: '7' }), undefined);
  });

  test('a spend rule is told in a sentence', () => {
    const words = (changes: Partial<RuleDraft>): string =>
      ruleWords({ ...newRule(), limit: '20', ...changes }, (id) => `<${id}>`);
    assert.equal(words({}), 'Up to $20.00 per day, reset at 00:00 UTC, for the whole gateway.');
    assert.equal(
      words({ preset: '3600', token: { mode: 'partition', values: '' } }),
      'Up to $20.00 per hour, reset on the hour, for each token separately.',
    );
    assert.equal(
      words({ technique: 'sliding', token: { mode: 'filter', values: 'a\nb\nc\nd\ne' } }),
      'Up to $20.00 in any period of 1 day, of requests with token <a>, <b>, <c> or 2 more together.',
    );
    assert.equal(words({ limit: '' }), 'Incomplete.');
    const tagged = { ...newRule(), limit: '20' };
    assert.equal(
      ruleWords(tagged, (id) => id, 'account'),
      'Up to $20.00 per day, reset at 00:00 UTC, for all gateways together.',
    );
    tagged.gateway_tags = [{ key: 'team', mode: 'filter', values: 'ml' }];
    assert.equal(
      ruleWords(tagged, (id) => id, 'account'),
      'Up to $20.00 per day, reset at 00:00 UTC, of requests with gateway tag team ml together.',
    );
  });

  test('a fault of the API finds the field that shows it', () => {
    const draft = readSpend({
      spend_limits: { enabled: true, rules },
    });
    const at = (path: string): string => fieldOfSpend(`spend_limits${path}`, draft);
    assert.deepEqual(
      [
        '',
        '.rules',
        '.rules.0.limit',
        '.rules.0.window',
        '.rules.0.provider.values.1',
        '.rules.0.metadata.team.mode',
        '.rules.0.metadata.app.name.values.0',
      ].map(at),
      [
        'rules',
        'rules',
        'rules.0.limit',
        'rules.0.window.amount',
        'rules.0.provider.values',
        'rules.0.metadata.0.key',
        'rules.0.metadata.1.values',
      ],
    );
    const headers = [{ name: 'x.team', value: '' }];
    const targets = [{ url: '', authorization: '', headers }];
    assert.deepEqual(
      ['otel', 'otel.0.url', 'otel.0.authorization', 'otel.0.headers.x.team', 'otel.0'].map(
        (path) => fieldOfOtel(path, { targets }),
      ),
      [
        'targets',
        'targets.0.url',
        'targets.0.authorization',
        'targets.0.headers.0.value',
        'targets.0.url',
      ],
    );
  });
});
