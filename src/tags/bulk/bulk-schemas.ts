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
      description: 'As the header `If-Match` of a request on this resource alone',
    }),
  ),
};

export const PutOperationSchema = Type.Object(
  { op: Type.Literal('put'), ...SetTagsSchema.properties, ...ifMatch },
  { additionalProperties: false, description: 'Replaces all that is stored of the resource' },
);

export const PatchOperationSchema = Type.Object(
  { op: Type.Literal('patch'), ...PatchTagsSchema.properties, ...ifMatch },
  { additionalProperties: false, description: 'Merges the tags into those that are there' },
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
    Type.Unknown({ description: 'Anything else is a fault of this one operation: 1002' }),
  ]),
  { minItems: 1, maxItems: MAX_ITEMS, description: 'Done in this order' },
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
        description: 'Every tagged resource of the account; stands alone',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'The parameters of the list of tagged resources; all of them must hold',
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
        description: 'With `filter`: what is merged into the tags of every resource that matches',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Write nothing; only tell what would come of it',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_ITEMS,
        default: MAX_ITEMS,
        description: 'With `filter`: how many resources to write to at most',
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
    Type.Boolean({ description: 'Of a success: whether it left anything other than it was' }),
  ),
  etag: Type.Optional(Type.String({ description: 'Of a success: that of the tags after it' })),
  errors: Type.Optional(Type.Array(ErrorEntrySchema)),
});

export type BulkItem = Static<typeof ItemSchema>;

export const BulkResultSchema = Type.Object({
  dry_run: Type.Boolean(),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  unchanged: Type.Integer({ description: 'How many of the succeeded changed nothing' }),
  results: Type.Array(ItemSchema, {
    description:
      'One for each operation, in their order; by filter one for each resource, in list order',
  }),
});

export type BulkResult = Static<typeof BulkResultSchema>;
