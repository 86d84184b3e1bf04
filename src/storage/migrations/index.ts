import { iam } from './0001-iam.ts';
import type { Migration } from './migration.ts';

/** Every migration in the order in which it runs. Released ones are never edited, only followed. */
export const migrations: readonly Migration[] = [iam];
