import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { askQueries } from './ask-queries.ts';
import { type FilledTags, copyFilled, fillTags } from './filled-tags.ts';
import type { Bench } from './options.ts';
import { type Outcome, joinOutcomes } from './outcome.ts';
import type { QueryFigures } from './query-load.ts';
import {
  PATIENCE_MS,
  type RunningTags,
  type TagContender,
  tagContenders,
} from './tag-contenders.ts';
import type { BenchResource } from './tag-data.ts';
import { BROAD, type TagGoal, type TagQuery, createTagQueries } from './tag-queries.ts';
import {
  type AskedSize,
  type TagGoals,
  greatestGrowth,
  reportGrowth,
  reportQueries,
  slowestTagQuery,
} from './tag-report.ts';
import { compareTagWrites } from './tag-writes.ts';

const TITLE = 'Tags';
const SIZES = [10_000, 100_000, 1_000_000];
const MAX_REQUESTS = 300;
// Few queries get that far: it holds for those that take longer than some milliseconds.
const QUERY_SHARE_OF_SECONDS = 0.5;
const RESOURCES_PER_STEP = 1_000;

/** Queries of ever more resources with tags, and writes to the most of them. */
export async function compareTags(bench: Bench): Promise<Outcome> {
  const sizes = [...SIZES.filter((size) => size < bench.tagResources), bench.tagResources];
  const filled: FilledTags[] = [];
  for (const resources of sizes) filled.push(await fillTags(tagContenders, resources));
  const asked: AskedSize[] = [];
  for (const one of filled) asked.push(await askSize(bench, one));
  const [few, many] = [asked[0], asked.at(-1)];
  const largest = filled.at(-1);
  if (few === undefined || many === undefined || largest === undefined) throw new Error('no size');
  const growth = few === many ? undefined : reportGrowth(few, many);
  const queries: Outcome = {
    measured: Object.assign(
      {},
      ...ours.map((name) => measuredOf(few, many, name)),
    ) as Outcome['measured'],
    tables: [...asked.map(reportQueries), ...(growth === undefined ? [] : [growth])],
  };
  return joinOutcomes(queries, await compareTagWrites(bench, largest));
}

const goals: TagGoals = new Map(
  createTagQueries({ resources: 0, named: [], cursors: { all: '', broad: '' } }).map(
    ({ name, goal = 'ordinary' }) => [name, goal],
  ),
);

const ours = tagContenders.filter(({ isOurs }) => isOurs).map(({ name }) => name);

function measuredOf(few: AskedSize, many: AskedSize, name: string): Outcome['measured'] {
  const slowest = (goal: TagGoal, pick: 'p50Ms' | 'p99Ms') =>
    slowestTagQuery(many, name, [goals, goal], pick);
  return {
    [`tags, ordinary, p50, ${name}`]: slowest('ordinary', 'p50Ms'),
    [`tags, ordinary, p99, ${name}`]: slowest('ordinary', 'p99Ms'),
    [`tags, disjoint, p50, ${name}`]: slowest('disjoint', 'p50Ms'),
    ...(few !== many && {
      [`tags, growth, ${name}`]: greatestGrowth(few, many, name, goals),
    }),
  };
}

async function askSize(
  bench: Bench,
  { resources, samplesFile, directories }: FilledTags,
): Promise<AskedSize> {
  const samples = JSON.parse(readFileSync(samplesFile, 'utf8')) as BenchResource[];
  const contenders = [];
  for (const [contender, filled] of directories) {
    process.stderr.write(`${TITLE}: queries of ${resources} resources, ${contender.name}\n`);
    const directory = path.join(bench.directory, contender.slug);
    copyFilled(filled, directory);
    const running = await contender.start(directory);
    const cursors = {
      all: await cursorInTheMiddle(running, '', resources),
      broad: await cursorInTheMiddle(running, BROAD, resources),
    };
    const queries = createTagQueries({ resources, named: samples, cursors });
    contenders.push({
      name: contender.name,
      figures: await ask(bench, contender, running, queries),
    });
    await running.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return { resources, contenders };
}

/** Goes through a list until half as many have passed as there are resources. */
async function cursorInTheMiddle(
  { url, headers }: RunningTags,
  filter: string,
  resources: number,
): Promise<string> {
  let cursor = '';
  for (let passed = 0; passed < resources / 2; passed += RESOURCES_PER_STEP) {
    const page = `${url}/resources?${filter}&limit=${RESOURCES_PER_STEP}&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(page, { headers });
    if (answer.status !== 200) throw new Error(`${page}: ${answer.status} ${await answer.text()}`);
    const { result_info: info } = (await answer.json()) as {
      result_info: { cursors?: { after?: string } };
    };
    if (info.cursors?.after === undefined) throw new Error(`${page} has no next page`);
    cursor = info.cursors.after;
  }
  return cursor;
}

async function ask(
  { seconds }: Bench,
  { isOurs }: TagContender,
  { url, headers }: RunningTags,
  queries: readonly TagQuery[],
): Promise<QueryFigures[]> {
  return askQueries({
    url,
    headers,
    queries: queries.filter((query) => isOurs || query.isOurs !== true),
    requests: MAX_REQUESTS,
    seconds: seconds * QUERY_SHARE_OF_SECONDS,
    patienceMs: PATIENCE_MS,
  });
}
