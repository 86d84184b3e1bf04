import { askPostgres } from '../postgres.ts';
import { createPostgresWriter } from '../table-writer.ts';
import { type BenchResource, createResources } from '../tag-data.ts';
import type { Row, Table } from '../tag-tables.ts';
import { tagDesigns } from './tag-designs.ts';

/** Fills the tables of a design in PostgreSQL. It is told what to do by `PLAN`. */
export interface FillPeerPlan {
  /** See tag-designs.ts. */
  design: string;
  resources: number;
}

const RESOURCES_PER_WRITE = 5_000;
const loaded: Table = {
  name: 'loaded',
  columns: { seq: 'bigint', type: 'text', id: 'text', name: 'text', tags: 'jsonb' },
};

const plan = JSON.parse(process.env.PLAN ?? '{}') as FillPeerPlan;
const design = tagDesigns[plan.design];
if (design === undefined) throw new Error(`there is no design ${plan.design}`);

const rowOf = (seq: number, { type, id, name, tags }: BenchResource): Row => [
  seq,
  type,
  id,
  name,
  JSON.stringify(tags),
];

await askPostgres(async (client) => {
  const columns = Object.entries(loaded.columns).map(([name, type]) => `${name} ${type}`);
  await client.query(`create unlogged table loaded (${columns.join(', ')})`);
  const writer = await createPostgresWriter(client);
  let rows: Row[] = [];
  let seq = 0;
  for (const resource of createResources(plan.resources)) {
    rows.push(rowOf(++seq, resource));
    if (rows.length < RESOURCES_PER_WRITE && seq < plan.resources) continue;
    await writer.write(loaded, rows);
    rows = [];
  }
  for (const statement of [
    ...design.tables,
    ...design.copy,
    'drop table loaded',
    ...design.indexes,
  ]) {
    await client.query(statement);
  }
  await writer.end();
});
