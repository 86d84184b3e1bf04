import { type Static, type TSchema, Type } from 'typebox';

// The stored characters of a key of metadata. Each may have two UTF-16 units.
const MAX_GROUP_BY_LENGTH = 512;
const MAX_TIME_LENGTH = 64;
const DEFAULT_GROUPS = 20;
const MAX_GROUPS = 100;

/** The parameters of both operations. */
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
      description: 'End of the period, exclusive, as an RFC 3339 date-time; default: now',
    }),
  ),
  interval: Type.Optional(
    Type.Enum(['minute', 'hour', 'day'], {
      description:
        'Interval of the time series, in UTC; default: the shortest that fits. Minutes are kept for 3 days, hours for 100 days, days for 10 years',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_GROUPS,
      default: DEFAULT_GROUPS,
      description: 'Maximum number of groups; all others are combined into one',
    }),
  ),
  order_by: Type.Optional(
    Type.Enum(['requests', 'cost', 'tokens', 'errors'], {
      default: 'requests',
      description: 'Measure that selects the largest groups',
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
  '`none`, `model`, `provider`, `token`, `user`, `oauth_client`, `status`, `metadata.<key>` of `cf-aig-metadata`, or `tag.<key>`: the current value of this resource tag of the gateway';

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
  cached: Type.Integer({ description: 'Requests served from the cache of the gateway' }),
  tokens_in: Type.Integer(),
  tokens_out: Type.Integer(),
  cache_tokens: Type.Integer({ description: 'Input tokens read from the cache of the provider' }),
  cost: Type.Number({ description: 'US dollars' }),
  requests_without_cost: Type.Integer({
    description: 'Requests with tokens whose price is unknown; `cost` does not include them',
  }),
  requests_with_estimate: Type.Integer({
    description:
      'Requests whose tokens the gateway estimated, because the response was incomplete or reported no usage',
  }),
  duration: nullable(
    PercentilesSchema,
    'Milliseconds from the request to the end of the response, accurate to 5 %; null: not measured',
  ),
  ttft: nullable(
    PercentilesSchema,
    'Milliseconds from the request to the first byte of the response, accurate to 5 %; null: not measured',
  ),
};

const GroupSchema = Type.Object({
  value: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null: requests without a value, or the group of all others',
  }),
  is_other: Type.Boolean({ description: 'Requests of all groups that are not listed separately' }),
  totals: Type.Object(figures),
  series: Type.Array(
    Type.Object({ start: Type.String({ description: 'Start of the interval' }), ...figures }),
    { description: 'In chronological order, without intervals that had no requests' },
  ),
});

export const AnalyticsSchema = Type.Object({
  since: Type.String({ description: 'The requested period, extended to whole intervals' }),
  until: Type.String(),
  interval: Type.Enum(['minute', 'hour', 'day']),
  group_by: Type.String(),
  totals: Type.Object(figures),
  groups: Type.Array(GroupSchema),
});
