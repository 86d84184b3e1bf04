/** The slug of the role that holds everything and is never without a holder in an account. */
export const SUPER_ADMINISTRATOR = 'super-administrator';
