import type { Migration } from './migration.ts';

/** Stores with each invitation the address as the inviter typed it, which is all that the account learns. */
export const invitedEmails: Migration = {
  name: '0015-invited-emails',
  async up(tx, { text }) {
    await tx.schema.alterTable('members').addColumn('invited_email', text).execute();
  },
};
