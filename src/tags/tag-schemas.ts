import { Type } from 'typebox';
import { MAX_KEY_CHARACTERS, MAX_VALUE_CHARACTERS } from './tag-limits.ts';
import type { Tags } from './tag-set/tag-set.ts';

// With account and type the id must fit into an index entry of PostgreSQL, some 2,700 bytes, even
// when every character takes 4.
const MAX_ID_CHARACTERS = 512;
const MAX_NAME_CHARACTERS = 1_024;

export const TAGS_SECTION = 'Resource tags';

const IdSchema = Type.String({ minLength: 1, maxLength: MAX_ID_CHARACTERS });
const ResourceTypeSchema = Type.String({
  minLength: 1,
  description: 'For example `worker` or `zone`',
});

// Not Type.Record: its pattern `^.*$` misses keys with a line break, whose values would go unchecked.
const TagsSchema = Type.Unsafe<Tags>(
  Type.Object(
    {},
    {
      additionalProperties: Type.String(),
      description:
        `Keys: letters with their marks and digits of any script, \`_\`, \`.\`, \`-\`, stored in Unicode NFC, at most ${MAX_KEY_CHARACTERS} characters. ` +
        `Values: at most ${MAX_VALUE_CHARACTERS} characters; may be empty.`,
    },
  ),
);

const factFields = {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME_CHARACTERS,
      description:
        'Name of a resource outside of this server; default: its id. Resources of this server ' +
        'keep the name of their record.',
    }),
  ),
  worker_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_ID_CHARACTERS,
      description: 'Required for `worker_version`',
    }),
  ),
  zone_id: Type.Optional(IdSchema),
  access_application_id: Type.Optional(IdSchema),
};

export const SetTagsSchema = Type.Object(
  { resource_type: ResourceTypeSchema, resource_id: IdSchema, tags: TagsSchema, ...factFields },
  { additionalProperties: false },
);

const TagPatchSchema = Type.Unsafe<Readonly<Record<string, string | null>>>(
  Type.Object(
    {},
    {
      additionalProperties: Type.Union([Type.String(), Type.Null()]),
      description:
        'Changes to individual tags; `null` removes a tag. All other tags keep their values.',
    },
  ),
);

export const PatchTagsSchema = Type.Object(
  { resource_type: ResourceTypeSchema, resource_id: IdSchema, tags: TagPatchSchema, ...factFields },
  { additionalProperties: false },
);

// Whatever else a caller sends may have been meant to narrow the deletion: it is refused.
export const DeleteTagsSchema = Type.Object(
  {
    resource_type: ResourceTypeSchema,
    resource_id: IdSchema,
    worker_id: Type.Optional(IdSchema),
  },
  { additionalProperties: false },
);

/** How a query names one resource. All optional here: what is missing has an error of its own. */
export const ResourceQuery = Type.Object({
  resource_type: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  worker_id: Type.Optional(
    Type.String({
      description: 'Worker of the `worker_version`; must match the stored worker',
    }),
  ),
});

/** As {@link ResourceQuery}. A repeated parameter has the error of an unclear selection. */
export const DeletedResourceQuery = Type.Object({
  resource_type: Type.Optional(repeatable()),
  resource_id: Type.Optional(repeatable()),
  worker_id: Type.Optional(repeatable()),
});

function repeatable() {
  return Type.Unsafe<string | string[]>({ type: ['string', 'array'], items: { type: 'string' } });
}

export const TaggedResourceSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  name: Type.String(),
  etag: Type.String({ description: 'Value for `If-Match`; same as the `ETag` header' }),
  tags: TagsSchema,
  worker_id: Type.Optional(Type.String()),
  zone_id: Type.Optional(Type.String()),
  access_application_id: Type.Optional(Type.String()),
  tags_updated_at: Type.String(),
});

export const TypesParameter = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Only resources of this type; repeat the parameter for several types',
  }),
);

export const KeyPrefixParameter = Type.Optional(
  Type.String({ maxLength: MAX_KEY_CHARACTERS, description: 'Case-sensitive' }),
);

export const ValuePrefixParameter = Type.Optional(
  Type.String({ maxLength: MAX_VALUE_CHARACTERS, description: 'Case-sensitive' }),
);
