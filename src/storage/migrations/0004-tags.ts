import { sql } from 'kysely';
import type { DialectTraits } from '../dialect.ts';
import type { Transaction } from '../schema.ts';
import type { Migration } from './migration.ts';

/**
 * Resource tags.
 *
 * `tagged_resources` has a row per resource with tags and holds them whole, as canonical JSON, for
 * showing. `seq` is the place of a resource in every list; it is given once and kept.
 *
 * `resource_tags` has the same tags a row each, for searching. Its primary key finds the value of one
 * key on one resource, which is how a filter is probed; its two indexes walk the resources with a
 * key, or with a value, in list order without touching the table.
 *
 * `tag_keys`, `tag_values` and `tagged_types` count resources, in the transaction that changes them.
 * Lists of keys and values, the summary and the choice of the index to walk read them alone. A row
 * that comes down to 0 is deleted. Folded columns serve case-insensitive filters.
 *
 * `value_key` stands for a value in indexes, see tags/value-key.ts.
 */
export const tags: Migration = {
  name: '0004-tags',
  async up(tx, traits) {
    await createTaggedResources(tx, traits);
    await createResourceTags(tx, traits);
    await createTagKeys(tx, traits);
    await createTagValues(tx, traits);
    await tx.schema
      .createTable('tagged_types')
      .addColumn('account_id', traits.text, (column) => column.notNull())
      .addColumn('resource_type', traits.text, (column) => column.notNull())
      .addColumn('resource_count', sql`bigint`, (column) => column.notNull())
      .addPrimaryKeyConstraint('tagged_types_pk', ['account_id', 'resource_type'])
      .modifyEnd(traits.clustered)
      .execute();
  },
};

/** Not clustered: a row may be large. */
async function createTaggedResources(tx: Transaction, { text }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('tagged_resources')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('seq', sql`bigint`, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('resource_id', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_folded', text, (column) => column.notNull())
    .addColumn('etag', text, (column) => column.notNull())
    .addColumn('tags_updated_at', sql`bigint`, (column) => column.notNull())
    .addColumn('worker_id', text)
    .addColumn('zone_id', text)
    .addColumn('access_application_id', text)
    .addColumn('tags', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('tagged_resources_pk', ['account_id', 'seq'])
    // In this order it also finds resources by id alone.
    .addUniqueConstraint('tagged_resources_resource', [
      'account_id',
      'resource_id',
      'resource_type',
    ])
    .execute();
  await tx.schema
    .createIndex('tagged_resources_type')
    .on('tagged_resources')
    .columns(['account_id', 'resource_type', 'seq'])
    .execute();
}

async function createResourceTags(
  tx: Transaction,
  { text, clustered }: DialectTraits,
): Promise<void> {
  await tx.schema
    .createTable('resource_tags')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('seq', sql`bigint`, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('value_key', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('resource_tags_pk', ['account_id', 'seq', 'key'])
    .modifyEnd(clustered)
    .execute();
  await tx.schema
    .createIndex('resource_tags_value')
    .on('resource_tags')
    .columns(['account_id', 'key', 'value_key', 'seq'])
    .execute();
  await tx.schema
    .createIndex('resource_tags_key')
    .on('resource_tags')
    .columns(['account_id', 'key', 'seq'])
    .execute();
}

async function createTagKeys(tx: Transaction, { text, clustered }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('tag_keys')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('key_folded', text, (column) => column.notNull())
    .addColumn('resource_count', sql`bigint`, (column) => column.notNull())
    .addPrimaryKeyConstraint('tag_keys_pk', ['account_id', 'key', 'resource_type'])
    .modifyEnd(clustered)
    .execute();
  await tx.schema
    .createIndex('tag_keys_type')
    .on('tag_keys')
    .columns(['account_id', 'resource_type', 'key'])
    .execute();
  await tx.schema
    .createIndex('tag_keys_folded')
    .on('tag_keys')
    .columns(['account_id', 'key_folded'])
    .execute();
}

async function createTagValues(tx: Transaction, { text, clustered }: DialectTraits): Promise<void> {
  await tx.schema
    .createTable('tag_values')
    .addColumn('account_id', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('value_key', text, (column) => column.notNull())
    .addColumn('resource_type', text, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('key_folded', text, (column) => column.notNull())
    .addColumn('value_folded', text, (column) => column.notNull())
    .addColumn('resource_count', sql`bigint`, (column) => column.notNull())
    .addPrimaryKeyConstraint('tag_values_pk', ['account_id', 'key', 'value_key', 'resource_type'])
    .modifyEnd(clustered)
    .execute();
  await tx.schema
    .createIndex('tag_values_type')
    .on('tag_values')
    .columns(['account_id', 'resource_type', 'key', 'value_key'])
    .execute();
  await tx.schema
    .createIndex('tag_values_folded')
    .on('tag_values')
    .columns(['account_id', 'key_folded', 'value_folded'])
    .execute();
}
