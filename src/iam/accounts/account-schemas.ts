import { Type } from 'typebox';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '../names.ts';

const NameSchema = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_PATTERN });

// Enterprise accounts are nothing that a server of one's own could tell apart.
const TypeSchema = Type.Enum(['standard']);

export const CreateAccountSchema = Type.Object(
  {
    name: NameSchema,
    type: Type.Optional(TypeSchema),
    standalone: Type.Optional(
      Type.Literal(true, { description: 'Every account is: it may be said and changes nothing' }),
    ),
  },
  { additionalProperties: false },
);

export const UpdateAccountSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'That of the path, if it is sent' })),
    name: NameSchema,
    type: Type.Optional(TypeSchema),
    created_on: Type.Optional(
      Type.String({ description: 'Ignored: may be sent back as it was read' }),
    ),
    managed_by: Type.Optional(
      Type.Object({}, { additionalProperties: false, description: 'There is no parent' }),
    ),
    settings: Type.Optional(
      Type.Object(
        {
          enforce_twofactor: Type.Optional(
            Type.Boolean({
              description:
                'Members without a second factor hold nothing in the account until they have one; ' +
                'that goes for whoever switches it on, too',
            }),
          ),
          abuse_contact_email: Type.Optional(
            Type.Union([Type.String({ maxLength: 254 }), Type.Null()], {
              description: 'null or an empty text takes it away',
            }),
          ),
        },
        { additionalProperties: false, description: 'What is left out stays as it is' },
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
    abuse_contact_email: Type.Union([Type.String(), Type.Null()]),
  }),
});
