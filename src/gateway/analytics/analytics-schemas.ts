import { type Static, type TSchema, Type } from 'typebox';

// As many characters of a key of metadata as are kept, any of which may take two units.
const MAX_GROUP_BY_LENGTH = 512;
const MAX_TIME_LENGTH = 64;
const DEFAULT_GROUPS = 20;
const MAX_GROUPS = 100;

/** What both operations are asked. */
export const AnalyticsParameters = {
  since: Type.Optional(
    Type.String({
      maxLength: MAX_TIME_LENGTH,
      description: 'RFC 3339 date-time; default: 24 hours before the end',
    }),
  ),
  until: Type.Optional(
    Type.String({
      maxLength: MAX_TIME_LENGTH,
      description: 'RFC 3339 date-time, which is not in it; default: now',
    }),
  ),
  interval: Type.Optional(
    Type.Enum(['minute', 'hour', 'day'], {
      description:
        'Length of a point of the series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_GROUPS,
      default: DEFAULT_GROUPS,
      description: 'Groups that are told one by one; all others are one',
    }),
  ),
  order_by: Type.Optional(
    Type.Enum(['requests', 'cost', 'tokens', 'errors'], {
      default: 'requests',
      description: 'Of which the groups have the most that are told one by one',
    }),
  ),
};

/** The parameter `group_by`. */
export function groupByParameter(description: string) {
  return Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_GROUP_BY_LENGTH, default: 'none', description }),
  );
}

export const GROUP_BY =
  '`none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the value that this resource tag of the gateway has now';

const Query = Type.Object({ ...AnalyticsParameters, group_by: groupByParameter('') });

export type AnalyticsParametersGiven = Static<typeof Query>;

const nullable = <S extends TSchema>(schema: S, description: string) =>
  Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }], description });

const PercentilesSchema = Type.Object({
  p50: Type.Number(),
  p95: Type.Number(),
  p99: Type.Number(),
});

const figures = {
  requests: Type.Integer(),
  errors: Type.Integer({ description: 'Requests without success' }),
  cached: Type.Integer({ description: 'Requests that the cache of the gateway answered' }),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  cache_tokens: Type.Integer({ description: 'Input tokens that the provider had cached' }),
  cost: Type.Number({ description: 'US dollars' }),
  requests_without_cost: Type.Integer({
    description: 'Requests with tokens whose price nobody knows; they are not in `cost`',
  }),
  requests_with_estimate: Type.Integer({
    description:
      'Requests whose tokens the gateway has estimated, because the response broke off or had no usage',
  }),
  duration: nullable(
    PercentilesSchema,
    'Milliseconds from the request to the end of the answer, off by 5 % at most; null: none measured',
  ),
  ttft: nullable(PercentilesSchema, 'The same to the first byte of the answer'),
};

const GroupSchema = Type.Object({
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null: requests that have none, or the group of all others',
  }),
  is_other: Type.Boolean({ description: 'All that is in no group of its own' }),
  totals: Type.Object(figures),
  series: Type.Array(
    Type.Object({ start: Type.String({ description: 'Begin of the interval' }), ...figures }),
    { description: 'In order of time, without intervals in which there was no request' },
  ),
});

export const AnalyticsSchema = Type.Object({
  since: Type.String({ description: 'Both ends as asked for, widened to whole intervals' }),
  until: Type.String(),
  interval: Type.Enum(['minute', 'hour', 'day']),
  group_by: Type.String(),
  totals: Type.Object(figures),
  groups: Type.Array(GroupSchema),
});
