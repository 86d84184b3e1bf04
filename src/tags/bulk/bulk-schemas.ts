import { type Static, Type } from 'typebox';
import { ErrorEntrySchema } from '../../http/envelope.ts';
import { CursorParameter } from '../../http/paging.ts';
import type { BodyFaults } from '../../http/route.ts';
import { MAX_IDS } from '../query/wanted-resources.ts';
import { tagErrors } from '../tag-errors.ts';
import { DeleteTagsSchema, PatchTagsSchema, SetTagsSchema } from '../tag-schemas.ts';

/** Of one request, and the resources of a filter that one request writes to. */
export const MAX_ITEMS = 1_000;
/** Each goes to every resource of the filter. */
const MAX_FILTER_TAGS = 1_000;
/** An ETag has some 30. */
const MAX_IF_MATCH_CHARACTERS = 1_024;

const ifMatch = {
  if_match: Type.Optional(
    Type.String({
      maxLength: MAX_IF_MATCH_CHARACTERS,
      description: 'Same as the header `If-Match` of a request for this resource',
    }),
  ),
};

export const PutOperationSchema = Type.Object(
  { op: Type.Literal('put'), ...SetTagsSchema.properties, ...ifMatch },
  {
    additionalProperties: false,
    description: 'Replaces the tags and all other stored data of the resource',
  },
);

export const PatchOperationSchema = Type.Object(
  { op: Type.Literal('patch'), ...PatchTagsSchema.properties, ...ifMatch },
  { additionalProperties: false, description: 'Merges the tags into the existing tags' },
);

export const DeleteOperationSchema = Type.Object(
  { op: Type.Literal('delete'), ...DeleteTagsSchema.properties, ...ifMatch },
  { additionalProperties: false, description: 'Removes all tags of the resource' },
);

const OperationsSchema = Type.Array(
  Type.Union([
    PutOperationSchema,
    PatchOperationSchema,
    DeleteOperationSchema,
    Type.Unknown({ description: 'Other values fail only this operation, with 1002' }),
  ]),
  { minItems: 1, maxItems: MAX_ITEMS, description: 'Executed in this order' },
);

// Nothing is empty: a list of nothing, as a program may come up with, would filter nothing.
const FilterSchema = Type.Object(
  {
    tag: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    type: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    id: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_IDS })),
    name: Type.Optional(Type.String({ minLength: 1 })),
    case_insensitive: Type.Optional(Type.Boolean()),
    all: Type.Optional(
      Type.Literal(true, {
        description: 'All tagged resources of the account; cannot be combined with other members',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Parameters of the list of tagged resources; resources match all of them',
  },
);

export type FilterInput = Static<typeof FilterSchema>;

export const BulkSchema = Type.Object(
  {
    operations: Type.Optional(OperationsSchema),
    filter: Type.Optional(FilterSchema),
    tags: Type.Optional(
      Type.Unsafe<Static<typeof PatchTagsSchema.properties.tags>>({
        ...PatchTagsSchema.properties.tags,
        minProperties: 1,
        maxProperties: MAX_FILTER_TAGS,
        description: 'With `filter`: the tags to merge into every matching resource',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Only report the effect, without writing',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ITEMS,
        default: MAX_ITEMS,
        description: 'With `filter`: the maximum number of resources to write',
      }),
    ),
    cursor: CursorParameter,
  },
  {
    additionalProperties: false,
    description: 'Either `operations`, or `filter` and `tags`',
  },
);

export type BulkInput = Static<typeof BulkSchema>;

/** One code, as on every write of tags, but each fault with its place: a body may have a thousand items. */
export const bulkBodyFaults: BodyFaults = {
  malformed: tagErrors.invalidSetPayload,
  invalid: tagErrors.invalidSetPayload,
  unknown: tagErrors.invalidSetPayload,
};

const ItemSchema = Type.Object({
  resource_type: Type.Optional(Type.String()),
  resource_id: Type.Optional(Type.String()),
  success: Type.Boolean(),
  changed: Type.Optional(
    Type.Boolean({ description: 'True if a successful operation changed stored data' }),
  ),
  etag: Type.Optional(Type.String({ description: 'The ETag after a successful operation' })),
  errors: Type.Optional(Type.Array(ErrorEntrySchema)),
});

export type BulkItem = Static<typeof ItemSchema>;

export const BulkResultSchema = Type.Object({
  dry_run: Type.Boolean(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  unchanged: Type.Integer({ description: 'Number of successful operations that changed nothing' }),
  results: Type.Array(ItemSchema, {
    description:
      'One result for each operation, in the same order; with `filter` one for each resource, in list order',
  }),
});

export type BulkResult = Static<typeof BulkResultSchema>;
