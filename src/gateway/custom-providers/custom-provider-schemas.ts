import { type Static, Type } from 'typebox';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../../iam/names.ts';
import { AccountParams } from '../../iam/route.ts';

export const SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,62}$';

const MAX_URL_LENGTH = 2_048;
const MAX_DESCRIPTION_LENGTH = 1_000;

const fields = {
  name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN }),
  base_url: Type.String({
    minLength: 1,
    maxLength: MAX_URL_LENGTH,
    description: 'An https URL with a public host, without credentials, query and fragment',
  }),
  enable: Type.Optional(
    Type.Boolean({ default: true, description: 'Requests may use the provider' }),
  ),
  description: Type.Optional(Type.String({ maxLength: MAX_DESCRIPTION_LENGTH })),
  link: Type.Optional(
    Type.String({
      maxLength: MAX_URL_LENGTH,
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
  enable: Type.Boolean(),
  beta: Type.Boolean(),
  description: Type.Optional(Type.String()),
  link: Type.Optional(Type.String()),
  created_at: Type.String(),
  modified_at: Type.String(),
});

export const CustomProviderParams = Type.Object({
  ...AccountParams.properties,
  provider_id: Type.String({ description: 'Id of the custom provider: 32 hex digits' }),
});
