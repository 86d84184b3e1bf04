import { GatewayParams } from '../../iam/gateway-operations.ts';
import { type Static, Type } from 'typebox';
import { describedPattern } from '../../http/schema-check.ts';
import { describeRecord } from '../../http/record.ts';
import { Amount } from '../gateways/gateway-schemas.ts';
import { MAX_REQUESTS_PER_WINDOW, MAX_WINDOW_SECONDS } from '../../lib/gateway-bounds.ts';

const MAX_ORIGIN_LENGTH = 256;

const Secret = Type.String({
  minLength: 1,
  description:
    'The key: one line of printable ASCII, or a JSON object such as a service account key. At most 16 KiB. Never shown again',
});

const Alias = Type.String({
  maxLength: 64,
  pattern: describedPattern(
    '^[A-Za-z0-9_.-]{1,64}$',
    'must be 1 to 64 letters, digits, underscores, dots and hyphens',
  ),
  description: 'Unique for the provider; requests select the key with it in cf-aig-byok-alias',
});

const limits = {
  rate_limit: Type.Optional(
    Amount(MAX_REQUESTS_PER_WINDOW, 'Requests with this key in each period; 0 or null: no limit'),
  ),
  rate_limit_period: Type.Optional(Amount(MAX_WINDOW_SECONDS, 'Seconds')),
};

export const CreateProviderConfigSchema = Type.Object(
  {
    alias: Alias,
    default_config: Type.Boolean({
      description:
        'Use this key for requests without an alias. The former default key loses this role',
    }),
    provider_slug: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'A built-in provider, or `custom-` followed by the slug of a custom provider',
    }),
    secret: Type.Optional(Secret),
    origin: Type.Optional(
      Type.String({
        maxLength: MAX_ORIGIN_LENGTH,
        description:
          'Scheme and host: the key is sent only there. Cannot be changed. Required for azure-openai, for example `https://my-resource.openai.azure.com`, unless the operator configures its address. Not allowed for custom providers, which have a `base_url`',
      }),
    ),
    secret_id: Type.Optional(
      Type.Unknown({ description: 'Not supported in this version: there is no secret store' }),
    ),
    ...limits,
  },
  { additionalProperties: false },
);

export const UpdateProviderConfigSchema = Type.Object(
  {
    alias: Type.Optional(Alias),
    default_config: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Secret),
    ...limits,
  },
  { additionalProperties: false },
);

export type UpdateProviderConfigInput = Static<typeof UpdateProviderConfigSchema>;

export const ProviderConfigSchema = Type.Object({
  id: Type.String(),
  alias: Type.String(),
  default_config: Type.Boolean(),
  gateway_id: Type.String(),
  provider_slug: Type.String(),
  secret_id: Type.String(),
  secret_preview: Type.String(),
  origin: Type.Optional(Type.String()),
  rate_limit: Type.Optional(Type.Integer()),
  rate_limit_period: Type.Optional(Type.Integer()),
  modified_at: Type.String(),
});

/** A provider key for GET, PATCH and DELETE. */
export const PROVIDER_CONFIG_RECORD = describeRecord(
  ProviderConfigSchema,
  UpdateProviderConfigSchema,
  ['modified_at'],
);

export const ProviderConfigParams = Type.Object({
  ...GatewayParams.properties,
  config_id: Type.String({ description: 'Id of the stored key: 32 hex digits' }),
});
