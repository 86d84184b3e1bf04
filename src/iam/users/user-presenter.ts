import { type Static, Type } from 'typebox';
import { describeRecord } from '../../http/record.ts';
import type { Db } from '../../storage/schema.ts';
import { MAX_PERSONAL_NAME_LENGTH, NAME_PATTERN } from '../names.ts';
import type { UserAccess } from './user-access.ts';
import { findUser } from './user-store.ts';

const NameSchema = Type.Union([Type.String(), Type.Null()]);

export const UserSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  first_name: NameSchema,
  last_name: NameSchema,
  two_factor_authentication_enabled: Type.Boolean(),
  two_factor_authentication_locked: Type.Boolean({
    description: 'True if an account of the user requires a second factor',
  }),
  suspended: Type.Boolean(),
  organizations: Type.Array(Type.Object({ id: Type.String() })),
});

const ChangedNameSchema = Type.Optional(
  Type.Union([
    Type.String({ minLength: 1, maxLength: MAX_PERSONAL_NAME_LENGTH, pattern: NAME_PATTERN }),
    Type.Null(),
  ]),
);

export const UpdateUserSchema = Type.Object(
  { first_name: ChangedNameSchema, last_name: ChangedNameSchema },
  { additionalProperties: false },
);

/** The user for GET and PATCH. */
export const USER_RECORD = describeRecord(UserSchema, UpdateUserSchema, []);

/** The caller's own details as the API shows them; undefined for a person who is gone. */
export async function presentUser(
  db: Db,
  access: UserAccess,
): Promise<Static<typeof UserSchema> | undefined> {
  const user = await findUser(db, access.id);
  if (user === undefined) return undefined;
  return {
    id: user.id,
    email: user.email,
    first_name: user.firstName ?? null,
    last_name: user.lastName ?? null,
    two_factor_authentication_enabled: access.hasSecondFactor,
    two_factor_authentication_locked: await isSecondFactorDemanded(db, user.id),
    suspended: false,
    organizations: [],
  };
}

/** Uses `members_user`. */
async function isSecondFactorDemanded(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select('accounts.id')
    .where('members.user_id', '=', userId)
    .where('members.status', '=', 'accepted')
    .where('accounts.enforce_twofactor', '=', 1)
    .where('accounts.deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
