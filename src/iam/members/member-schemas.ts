import { Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import { AccountParams } from '../route.ts';
import { RoleSchema } from '../roles/role-presenter.ts';

export const MemberParams = Type.Object({
  ...AccountParams.properties,
  member_id: Type.String({ description: 'Member id: 32 hex digits' }),
});

// There are ten.
const MAX_ROLES = 20;

/** The clients send ids when they create a member, and whole roles when they change one. */
export const RolesSchema = Type.Array(
  Type.Union([Type.String({ maxLength: 64 }), Type.Object({ id: Type.String({ maxLength: 64 }) })]),
  { minItems: 1, maxItems: MAX_ROLES, description: 'Role ids, or objects `{"id": …}`' },
);

/** The clients have a form with policies. */
const PoliciesSchema = Type.Unknown({
  description:
    'Not supported: assign roles instead. PUT accepts the unchanged policies of the member',
});

export const CreateMemberSchema = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
    roles: Type.Optional(RolesSchema),
    status: Type.Optional(
      Type.Enum(['accepted', 'pending'], {
        description:
          '`accepted` adds the user without an invitation. The user must have a verified email address and ' +
          'be a member of another account in which you can manage members. The role Super ' +
          'Administrator always needs an invitation.',
        default: 'pending',
      }),
    ),
    policies: Type.Optional(PoliciesSchema),
  },
  { additionalProperties: false },
);

export const UpdateMemberSchema = Type.Object(
  { roles: Type.Optional(RolesSchema), policies: Type.Optional(PoliciesSchema) },
  { additionalProperties: false },
);

const NamedIdSchema = Type.Object({ id: Type.String(), name: Type.String() });

export const MemberSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  status: Type.Enum(['accepted', 'pending']),
  roles: Type.Array(RoleSchema),
  policies: Type.Array(
    Type.Object({
      id: Type.String(),
      access: Type.Enum(['allow']),
      permission_groups: Type.Array(NamedIdSchema),
      resource_groups: Type.Array(
        Type.Object({
          ...NamedIdSchema.properties,
          scope: Type.Object({
            key: Type.String(),
            objects: Type.Array(Type.Object({ key: Type.String() })),
          }),
        }),
      ),
    }),
    { description: 'Permissions of the roles' },
  ),
  user: Type.Object(
    {
      id: Type.Optional(Type.String({ description: 'Absent for pending members' })),
      email: Type.String(),
      first_name: Type.Union([Type.String(), Type.Null()]),
      last_name: Type.Union([Type.String(), Type.Null()]),
      two_factor_authentication_enabled: Type.Boolean(),
      locked: Type.Boolean({
        description: 'True if an operator of the server has locked the user',
      }),
    },
    { description: 'For a pending member, only the email address as entered in the invitation' },
  ),
  invitation_expires_on: Type.Optional(
    Type.String({ description: 'Present for a pending member' }),
  ),
  invitation_link_revoked: Type.Optional(
    Type.Boolean({
      description:
        'For a pending member who received more roles after the link was shown. The link is invalid; request a new one',
    }),
  ),
});

/** A member for GET, PUT and DELETE. Clients of the former API send an empty `code` with each change. */
export const MEMBER_RECORD = describeRecord(
  MemberSchema,
  UpdateMemberSchema,
  ['invitation_expires_on', 'invitation_link_revoked'],
  ['code'],
);

export const InvitedMemberSchema = Type.Object({
  ...MemberSchema.properties,
  invitation_url: Type.Optional(
    Type.String({
      description:
        'The link to pass on. Shown this once, and only where no mail server is configured: ' +
        'otherwise it is mailed.',
    }),
  ),
});
