import { type Static, Type } from 'typebox';
import { UNDOCUMENTED } from '../../http/openapi-document.ts';
import { describeRecord } from '../../http/record.ts';
import { describedPattern } from '../../http/schema-check.ts';
import { ID_LENGTH, ID_PATTERN } from '../../lib/ids.ts';
import { NAME_PATTERN } from '../names.ts';

const GROUP_ID_PATTERN = describedPattern(ID_PATTERN, 'must be 32 lowercase hexadecimal digits');

const MAX_POLICIES = 50;
const MAX_GROUPS = 100;
const MAX_RESOURCES = 100;
const MAX_RANGES = 100;

const RangesSchema = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: MAX_RANGES,
  description: 'IP addresses and CIDR ranges. An empty list is no condition',
});

const requestIpSchema = (options: object = {}) =>
  Type.Object(
    { in: Type.Optional(RangesSchema), not_in: Type.Optional(RangesSchema) },
    { additionalProperties: false, ...options },
  );

const PolicyInputSchema = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        description: 'PUT keeps the id of a policy of the token. Otherwise, the server assigns ids',
      }),
    ),
    effect: Type.Enum(['allow', 'deny']),
    permission_groups: Type.Array(
      Type.Object({
        id: Type.String({ maxLength: ID_LENGTH, pattern: GROUP_ID_PATTERN }),
        name: Type.Optional(Type.String()),
        meta: Type.Optional(Type.Unknown()),
      }),
      { minItems: 1, maxItems: MAX_GROUPS },
    ),
    resources: Type.Record(Type.String(), Type.Literal('*'), {
      minProperties: 1,
      maxProperties: MAX_RESOURCES,
      description:
        '`{"com.<brand>.api.account.<id>":"*"}` or one gateway of it; a user-owned token may also name ' +
        'all accounts of its owner, `com.<brand>.api.account.*`, and the owner, `com.<brand>.api.user.<id>`',
    }),
  },
  { additionalProperties: false },
);

export const CreateTokenSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120, pattern: NAME_PATTERN }),
    policies: Type.Array(PolicyInputSchema, { minItems: 1, maxItems: MAX_POLICIES }),
    not_before: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339' })),
    expires_on: Type.Optional(Type.String({ format: 'date-time', description: 'RFC 3339' })),
    condition: Type.Optional(
      Type.Object(
        {
          request_ip: Type.Optional(requestIpSchema()),
          // Generators of clients give both members the same name.
          'request.ip': Type.Optional(requestIpSchema({ [UNDOCUMENTED]: true })),
        },
        { additionalProperties: false },
      ),
    ),
    status: Type.Optional(Type.Enum(['active', 'disabled'], { default: 'active' })),
  },
  { additionalProperties: false },
);

export type CreateTokenInput = Static<typeof CreateTokenSchema>;

export const TokenStatusSchema = Type.Enum(['active', 'disabled', 'expired']);

export const UpdateTokenSchema = Type.Object(
  { ...CreateTokenSchema.properties, status: Type.Optional(TokenStatusSchema) },
  { additionalProperties: false },
);

export const TokenSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: TokenStatusSchema,
  issued_on: Type.String(),
  modified_on: Type.String(),
  last_used_on: Type.Optional(Type.String()),
  not_before: Type.Optional(Type.String()),
  expires_on: Type.Optional(Type.String()),
  policies: Type.Array(
    Type.Object({
      id: Type.String(),
      effect: Type.String(),
      permission_groups: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      resources: Type.Record(Type.String(), Type.String()),
    }),
  ),
  condition: Type.Optional(
    Type.Object({
      request_ip: Type.Object({
        in: Type.Optional(Type.Array(Type.String())),
        not_in: Type.Optional(Type.Array(Type.String())),
      }),
    }),
  ),
  creator_email_at_creation: Type.Optional(
    Type.String({
      description: 'The user who created the account-owned token. Absent if a token created it',
    }),
  ),
  provisioner_type: Type.Optional(
    Type.String({ description: '`oauth`: an OAuth client created the token for the user' }),
  ),
  provisioner_id: Type.Optional(Type.String({ description: 'Id of the OAuth client' })),
});

export const CreatedTokenSchema = Type.Object({
  ...TokenSchema.properties,
  value: Type.String({ description: 'The token value. Shown only once.' }),
});

/** An API token for GET, PUT and DELETE. */
export const TOKEN_RECORD = describeRecord(TokenSchema, UpdateTokenSchema, [
  'issued_on',
  'modified_on',
  'last_used_on',
]);
