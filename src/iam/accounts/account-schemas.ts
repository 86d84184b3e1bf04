import { Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../names.ts';

const NameSchema = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN });

// Enterprise accounts are nothing that a server of one's own could tell apart.
const TypeSchema = Type.Enum(['standard']);

export const CreateAccountSchema = Type.Object(
  {
    name: NameSchema,
    type: Type.Optional(TypeSchema),
    standalone: Type.Optional(
      Type.Literal(true, { description: 'Accepted and ignored: every account has this type' }),
    ),
  },
  { additionalProperties: false },
);

export const UpdateAccountSchema = Type.Object(
  {
    name: NameSchema,
    type: Type.Optional(TypeSchema),
    managed_by: Type.Optional(
      Type.Object({}, { additionalProperties: false, description: 'Accounts have no parent' }),
    ),
    settings: Type.Optional(
      Type.Object(
        {
          enforce_twofactor: Type.Optional(
            Type.Boolean({
              default: false,
              description:
                'Members without a second factor have no permissions in the account. This includes the member who enables the setting',
            }),
          ),
          abuse_contact_email: Type.Optional(
            Type.Union([Type.String({ maxLength: 254 }), Type.Null()], {
              description: 'null or an empty string removes it',
            }),
          ),
        },
        { additionalProperties: false, description: 'Omitted members do not change' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const AccountSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: TypeSchema,
  created_on: Type.String(),
  settings: Type.Object({
    enforce_twofactor: Type.Boolean(),
    abuse_contact_email: Type.Optional(Type.String()),
  }),
});

/** An account for GET, PUT and DELETE. */
export const ACCOUNT_RECORD = describeRecord(AccountSchema, UpdateAccountSchema, ['created_on']);
