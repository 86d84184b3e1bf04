import type { Query } from './query-load.ts';
import { ownerOf } from './tag-data.ts';

/** What queries ask for beside the values that every size of the data has. */
export interface TagSamples {
  resources: number;
  /** Of some resources, in any order. */
  named: readonly { type: string; id: string }[];
  /** Of pages in the middle of the list, of all resources and of {@link BROAD}. */
  cursors: { all: string; broad: string };
}

/** A query, what goal it is of, and whether only Latchkey has an answer to it. */
export type TagQuery = Query & { goal?: TagGoal; isOurs?: true };

/**
 * What is expected of a query. `disjoint`: two conditions that many resources have, and few or none both.
 * `none`: no index can help, as with parts of names, or the page is ten times as long as others.
 * Default: `ordinary`.
 */
export type TagGoal = 'ordinary' | 'disjoint' | 'none';

/** 60 % of the resources. */
export const BROAD = 'tag=env=production';

const OWNERS_ASKED = 50;
const IDS_ASKED = 50;
const GETS_ASKED = 200;

/** What somebody asks of tags, on paths below `/tags`. Shares are of all resources. */
export function createTagQueries(samples: TagSamples): TagQuery[] {
  return [...filters(samples), ...otherLists(samples), ...vocabulary(), ...single(samples)];
}

const listed = (name: string, ...parameters: string[]): TagQuery => ({
  name,
  paths: [`/resources?${parameters.join('&')}`],
});

const asTag = (filter: string): string => `tag=${encodeURIComponent(filter)}`;

/** @param tags filters, all of which must hold */
const tagged = (name: string, ...tags: string[]): TagQuery => listed(name, ...tags.map(asTag));

function filters({ resources }: TagSamples): TagQuery[] {
  const step = Math.floor(resources / OWNERS_ASKED);
  const services = Array.from({ length: 10 }, (_, index) => `service-${index + 1}`).join(',');
  return [
    {
      name: 'rare value (20 resources)',
      paths: Array.from({ length: OWNERS_ASKED }, (_, index) => {
        const owner = Math.floor((index * step) / 20);
        return `/resources?${asTag(`owner=${ownerOf(owner)}`)}`;
      }),
    },
    tagged('medium value (2.8 %)', 'team=team-8'),
    tagged('broad value (60 %)', 'env=production'),
    tagged('key alone (40 %)', 'exposure'),
    tagged('any of 3 values (23 %)', 'service=service-1,service-2,service-4'),
    tagged(
      'any of 10 rare values',
      `owner=${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(ownerOf).join(',')}`,
    ),
    tagged('2 filters (60 % and 11 %)', 'env=production', 'team=team-2'),
    tagged(
      '5 filters (60, 22, 40, 39 and 100 %)',
      'env=production',
      'team=team-1',
      'exposure=public',
      `service=${services}`,
      'owner',
    ),
    ...disjoint(),
    tagged('negation beside a value', 'env=production', 'team!=team-1'),
    tagged('negations that leave little', 'env=test', '!exposure', '!backup', 'team!=team-1'),
    tagged('negations alone', 'env!=production', '!exposure'),
    listed('type and value', 'type=worker', asTag('env=production')),
    listed('rare type and value (1.2 %)', 'type=image', asTag('env=production')),
    listed('value, case_insensitive', asTag('TEAM=TEAM-2'), 'case_insensitive=true'),
    { ...listed('name (5 %) and value', 'name=amber', asTag('env=production')), goal: 'none' },
  ];
}

function disjoint(): TagQuery[] {
  const common = [asTag('cost-center=shared'), asTag('exposure=public')];
  return [
    tagged('broad but disjoint (30 % and 40 %)', 'backup=daily', 'exposure=public'),
    listed('broad with 0.1 % in common', ...common),
    listed('the same, limit=10', ...common, 'limit=10'),
  ].map((query) => ({ ...query, goal: 'disjoint' }));
}

function otherLists({ named, cursors }: TagSamples): TagQuery[] {
  const ids = named.slice(0, IDS_ASKED).map(({ id }) => `id=${id}`);
  return [
    listed('50 ids', ...ids),
    listed('50 ids and value', ...ids, BROAD),
    { ...listed('name alone (5 %)', 'name=amber'), goal: 'none' },
    listed('type alone', 'type=worker'),
    listed('first page'),
    listed('deep page', `cursor=${encodeURIComponent(cursors.all)}`),
    listed('deep page of a broad value', BROAD, `cursor=${encodeURIComponent(cursors.broad)}`),
    { ...listed('broad value, limit=1000', BROAD, 'limit=1000'), goal: 'none' },
  ];
}

function vocabulary(): TagQuery[] {
  const at = (name: string, path: string): TagQuery => ({ name, paths: [path] });
  return [
    at('keys', '/keys'),
    at('values, few', '/values/env'),
    at('values, 1,000', '/values/service'),
    at('values, very many', '/values/owner'),
    at('values with prefix', '/values/owner?prefix=user-1'),
    at('summary', '/summary'),
  ];
}

function single({ named }: TagSamples): TagQuery[] {
  return [
    {
      name: 'get one resource',
      paths: named
        .slice(0, GETS_ASKED)
        .map(({ type, id }) => `?resource_type=${type}&resource_id=${id}`),
    },
    { name: 'page of changes', paths: ['/changes'], isOurs: true },
  ];
}
