import type { Migration } from './migration.ts';

/**
 * Ends every session and forgets every device once. Version 0.1.0 wrote the cookies of some of them to
 * the audit log, whose rows cannot change because each contains the hash of the row before it.
 */
export const endLoggedSessions: Migration = {
  name: '0013-end-logged-sessions',
  async up(tx) {
    await tx.deleteFrom('sessions').execute();
    await tx.deleteFrom('known_devices').execute();
  },
};
