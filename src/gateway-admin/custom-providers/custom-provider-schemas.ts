import { type Static, Type } from 'typebox';
import { describedPattern } from '../../http/schema-check.ts';
import { describeRecord } from '../../http/record.ts';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../../iam/names.ts';
import { AccountParams } from '../../iam/route.ts';
import { customDialects } from './custom-provider-store.ts';

export const SLUG_PATTERN = describedPattern(
  '^[a-z0-9][a-z0-9-]{0,62}$',
  'must be 1 to 63 lowercase letters, digits and hyphens, and must not begin with a hyphen',
);

const MODEL_PATTERN = describedPattern(
  '^[^\\u0000-\\u0020\\u007f]+$',
  'must not contain blanks or control characters',
);

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 1_000;

const fields = {
  name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN }),
  base_url: Type.String({
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    format: 'uri',
    description:
      'An https URL with a public host, without credentials and fragment. A query, such as `?api-version=…`, is added to each request',
  }),
  dialect: Type.Optional(
    Type.Union(
      customDialects.map((name) => Type.Literal(name)),
      {
        default: 'openai',
        description:
          'The API of the provider: `openai` for chat completions, `anthropic` for Messages, `gemini` for generateContent',
      },
    ),
  ),
  key_header: Type.Optional(
    Type.String({
      maxLength: 64,
      default: '',
      description:
        'Request header for the key, such as `api-key`; empty: `authorization` (with Bearer), `x-api-key` or `x-goog-api-key`, by dialect',
    }),
  ),
  models: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 256, pattern: MODEL_PATTERN }), {
      maxItems: 200,
      uniqueItems: true,
      default: [],
      description: 'Names of models, for lists of models; requests can name others, too',
    }),
  ),
  enable: Type.Optional(
    Type.Boolean({ default: true, description: 'Requests may use the provider' }),
  ),
  description: Type.Optional(Type.String({ maxLength: MAX_DESCRIPTION_LENGTH, default: '' })),
  link: Type.Optional(
    Type.String({
      maxLength: MAX_URL_LENGTH,
      default: '',
      description: 'Link for users, such as to documentation: an http or https URL; empty: none',
    }),
  ),
  beta: Type.Optional(
    Type.Boolean({ default: false, description: 'Marks the provider as a beta' }),
  ),
};

export const CreateCustomProviderSchema = Type.Object(
  {
    slug: Type.String({
      maxLength: 63,
      pattern: SLUG_PATTERN,
      description:
        'Requests address the provider as `custom-{slug}`. Unique in the account; cannot be changed',
    }),
    ...fields,
  },
  { additionalProperties: false },
);

export const UpdateCustomProviderSchema = Type.Partial(Type.Object(fields), {
  additionalProperties: false,
});

export type UpdateCustomProviderInput = Static<typeof UpdateCustomProviderSchema>;

export const CustomProviderSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  base_url: Type.String(),
  dialect: Type.Enum([...customDialects]),
  key_header: Type.Optional(Type.String()),
  models: Type.Array(Type.String()),
  enable: Type.Boolean(),
  beta: Type.Boolean(),
  description: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  created_at: Type.String(),
  modified_at: Type.String(),
});

/** A custom provider for GET, PATCH and DELETE. */
export const CUSTOM_PROVIDER_RECORD = describeRecord(
  CustomProviderSchema,
  UpdateCustomProviderSchema,
  ['created_at', 'modified_at'],
);

export const CustomProviderParams = Type.Object({
  ...AccountParams.properties,
  provider_id: Type.String({ description: 'Id of the custom provider: 32 hex digits' }),
});
