import { Type } from 'typebox';

/** Its length in characters, and what else it must not be, is checked by the operation. */
export const NewPassword = Type.String({
  maxLength: 1_024,
  description: '12 to 256 characters; common passwords are rejected',
});
