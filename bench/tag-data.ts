import { type Random, createRandom, pickFrom } from './random.ts';

/** What the resources are tagged with: the queries ask for the same. */
export const RESOURCES_PER_OWNER = 20;
const TEAMS = 50;
const SERVICES = 1_000;
const COST_CENTERS = 100;
/** Resources that have a sixth tag: those that a broad pair of values has in common. */
const COMMON_SHARE = 0.001;

export interface BenchResource {
  type: string;
  id: string;
  name: string;
  /** In the order of keys, so that plain JSON of it is canonical (RFC 8785). */
  tags: Record<string, string>;
}

interface Share<Value> {
  value: Value;
  /** In relation to the others. */
  share: number;
}

/** Each has its rank's part of the first. */
function byRank(count: number, nameOf: (rank: number) => string): Share<string>[] {
  return Array.from({ length: count }, (_, index) => ({
    value: nameOf(index + 1),
    share: 1 / (index + 1),
  }));
}

const pickType = pickFrom([
  { value: 'dns_record', share: 40 },
  { value: 'worker', share: 20 },
  { value: 'kv_namespace', share: 10 },
  { value: 'r2_bucket', share: 10 },
  { value: 'zone', share: 8 },
  { value: 'queue', share: 6 },
  { value: 'd1_database', share: 4 },
  { value: 'image', share: 2 },
]);

const pickEnvironment = pickFrom([
  { value: 'production', share: 60 },
  { value: 'staging', share: 25 },
  { value: 'development', share: 10 },
  { value: 'test', share: 5 },
]);

// One of them differs from another in case alone.
const pickTeam = pickFrom(byRank(TEAMS, (rank) => (rank === 3 ? 'Team-2' : `team-${rank}`)));
const pickService = pickFrom(byRank(SERVICES, (rank) => `service-${rank}`));
const pickCostCenter = pickFrom([
  { value: 'shared', share: 28 },
  ...byRank(COST_CENTERS, (rank) => `cc-${rank}`).map(({ value, share }) => ({
    value,
    share: share * 0.4,
  })),
]);

/** Nobody has two of these, but for {@link COMMON_SHARE}, who have the last two. */
const pickFifthKey = pickFrom([
  { value: 'backup', share: 30 },
  { value: 'exposure', share: 40 },
  { value: 'cost-center', share: 30 },
]);

const ADJECTIVES = (
  'amber brisk calm dusty eager faint grand hollow inner jolly ' +
  'keen lunar misty noble olive plain quiet rapid solar tidal'
).split(' ');

/** Draws the tags of a resource, five or seldom six. @param resources how many there are of them */
export function drawTags(random: Random, resources: number): Record<string, string> {
  const fifth = pickFifthKey(random);
  const isCommon = random() < COMMON_SHARE;
  const owner = Math.floor((random() * resources) / RESOURCES_PER_OWNER);
  return {
    ...(fifth === 'backup' && !isCommon ? { backup: 'daily' } : {}),
    ...(isCommon ? { 'cost-center': 'shared' } : {}),
    ...(fifth === 'cost-center' && !isCommon ? { 'cost-center': pickCostCenter(random) } : {}),
    env: pickEnvironment(random),
    ...(fifth === 'exposure' || isCommon ? { exposure: 'public' } : {}),
    owner: ownerOf(owner),
    service: pickService(random),
    team: pickTeam(random),
  };
}

export function ownerOf(number: number): string {
  return `user-${number}`;
}

/** One resource. @param resources how many there are */
export function drawResource(random: Random, resources: number): BenchResource {
  const tags = drawTags(random, resources);
  const adjective = ADJECTIVES[Math.floor(random() * ADJECTIVES.length)] ?? '';
  const digits = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return {
    type: pickType(random),
    id: digits() + digits() + digits() + digits(),
    name: `${tags.service}-${adjective}-${digits()}`,
    tags,
  };
}

/** So many resources in the order of their places, the same ones for the same number. */
export function* createResources(resources: number): Generator<BenchResource> {
  const random = createRandom(resources);
  for (let place = 1; place <= resources; place++) yield drawResource(random, resources);
}
