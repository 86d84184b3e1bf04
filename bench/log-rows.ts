import type { LogPayload, LogRecord } from '../src/request-log/record.ts';
import { createUuidV7 } from '../src/lib/ids.ts';
import { createPayloads } from './log-payloads.ts';
import { type Random, bellCurve, createRandom, pickFrom } from './random.ts';

/** What the rows are of: the queries ask for the same. */
export const LOG_DAYS = 90;
export const DAY_MS = 86_400_000;
export const ERROR_SHARE = 0.02;
export const CACHED_SHARE = 0.1;
export const METADATA_SHARE = 0.3;
export const EVENT_SHARE = 0.05;
export const USERS = 5_000;

/** The first has most of the rows. */
export const gateways: readonly Share<string>[] = [
  { value: 'default', share: 80 },
  { value: 'search', share: 8 },
  { value: 'support', share: 6 },
  { value: 'mobile', share: 4 },
  { value: 'staging', share: 2 },
];

interface Share<Value> {
  value: Value;
  /** In relation to the others. */
  share: number;
}

interface Model {
  provider: string;
  model: string;
  path: string;
  nanoUsdPerTokenIn: number;
  nanoUsdPerTokenOut: number;
}

const CHAT = 'chat/completions';
const GEMINI = 'v1beta/models/generateContent';

const modelOf = (
  provider: string,
  model: string,
  path: string,
  nanoUsdPerTokenIn: number,
  nanoUsdPerTokenOut: number,
): Model => ({ provider, model, path, nanoUsdPerTokenIn, nanoUsdPerTokenOut });

const models: readonly Share<Model>[] = [
  { share: 260, value: modelOf('openai', 'gpt-4o-mini', CHAT, 150, 600) },
  { share: 200, value: modelOf('anthropic', 'claude-sonnet-4-5', 'v1/messages', 3_000, 15_000) },
  { share: 150, value: modelOf('openai', 'gpt-4o', CHAT, 2_500, 10_000) },
  { share: 120, value: modelOf('google-ai-studio', 'gemini-2.5-flash', GEMINI, 300, 2_500) },
  { share: 80, value: modelOf('openai', 'gpt-4.1', CHAT, 2_000, 8_000) },
  { share: 60, value: modelOf('anthropic', 'claude-haiku-4-5', 'v1/messages', 1_000, 5_000) },
  { share: 50, value: modelOf('google-ai-studio', 'gemini-2.5-pro', GEMINI, 1_250, 10_000) },
  { share: 35, value: modelOf('groq', 'llama-3.3-70b-versatile', CHAT, 590, 790) },
  { share: 25, value: modelOf('mistral', 'mistral-large-latest', CHAT, 2_000, 6_000) },
  { share: 15, value: modelOf('mistral', 'mistral-small-latest', CHAT, 100, 300) },
  { share: 4, value: modelOf('openai', 'o3', CHAT, 2_000, 8_000) },
  { share: 1, value: modelOf('anthropic', 'claude-opus-4-1', 'v1/messages', 15_000, 75_000) },
];

const statuses: readonly Share<number>[] = [
  { value: 429, share: 50 },
  { value: 500, share: 20 },
  { value: 400, share: 15 },
  { value: 503, share: 10 },
  { value: 401, share: 5 },
];

const teams: readonly Share<string>[] = [
  { value: 'search', share: 40 },
  { value: 'support', share: 30 },
  { value: 'growth', share: 20 },
  { value: 'research', share: 10 },
];

const environments: readonly Share<string>[] = [
  { value: 'production', share: 85 },
  { value: 'staging', share: 15 },
];

const TOKENS = 40;
// About one row in ten thousand.
const RARE_TOKEN_SHARE = 1 / 10_000;

/** Each has its rank's part of the first; the last is next to never used. */
const tokens: readonly Share<string>[] = Array.from({ length: TOKENS }, (_, index) => ({
  value: `${index + 1}`.padStart(32, '0'),
  share: index + 1 < TOKENS ? 1 / (index + 1) : RARE_TOKEN_SHARE,
}));

/** One that has many rows, and one that has few. */
export const commonToken = tokens[0]?.value ?? '';
export const rareToken = tokens.at(-1)?.value ?? '';

export interface RowsPlan {
  accountId: string;
  rows: number;
  /** The gateways are as old as their first row. The rows are spread evenly over the time between. */
  sinceMs: number;
  untilMs: number;
  /** Of the newest so many the bodies are kept. */
  withBodies: number;
}

/** Exchanges in the order of time, the same ones for the same plan but for their ids. */
export function* createRows(plan: RowsPlan): Generator<LogRecord> {
  const random = createRandom(plan.rows);
  const payloads = createPayloads();
  const gapMs = (plan.untilMs - plan.sinceMs) / plan.rows;
  for (let index = 0; index < plan.rows; index++) {
    const createdAtMs = Math.floor(plan.sinceMs + (index + random()) * gapMs);
    const payload = index < plan.rows - plan.withBodies ? null : pickPayload(random, payloads);
    yield { row: createRow(random, plan, createdAtMs), payload, limit: null };
  }
}

function pickPayload(random: Random, payloads: readonly LogPayload[]): LogPayload | null {
  return payloads[Math.floor(random() * payloads.length)] ?? null;
}

const pickGateway = pickFrom(gateways);
const pickModel = pickFrom(models);
const pickStatus = pickFrom(statuses);
const pickToken = pickFrom(tokens);

function createRow(
  random: Random,
  { accountId, sinceMs }: RowsPlan,
  createdAtMs: number,
): LogRecord['row'] {
  const { provider, model, path, ...price } = pickModel(random);
  const isFailed = random() < ERROR_SHARE;
  const isCached = !isFailed && random() < CACHED_SHARE;
  const tokensIn = isFailed ? null : Math.ceil(700 * Math.exp(bellCurve(random)));
  const tokensOut = isFailed ? null : Math.ceil(250 * Math.exp(0.8 * bellCurve(random)));
  const ttftMs = isCached ? 1 : Math.ceil(350 * Math.exp(0.6 * bellCurve(random)));
  const cost =
    (tokensIn ?? 0) * price.nanoUsdPerTokenIn + (tokensOut ?? 0) * price.nanoUsdPerTokenOut;
  return {
    account_id: accountId,
    gateway_id: pickGateway(random),
    gateway_created_at: sinceMs,
    id: createUuidV7(createdAtMs),
    created_at: createdAtMs,
    provider,
    model,
    model_type: 'text-generation',
    path,
    request_type: provider === 'google-ai-studio' ? 'native' : 'rest',
    request_content_type: 'application/json',
    response_content_type: random() < 0.4 ? 'text/event-stream' : 'application/json',
    token_id: pickToken(random),
    user_id: null,
    oauth_client_id: null,
    status_code: isFailed ? pickStatus(random) : 200,
    success: isFailed ? 0 : 1,
    cached: isCached ? 1 : 0,
    step: 0,
    attempts: random() < 0.01 ? 2 : 1,
    custom_cost: 0,
    usage_source: null,
    duration_ms: isCached ? 2 : ttftMs + Math.ceil(12 * (tokensOut ?? 0) * (0.5 + random())),
    ttft_ms: ttftMs,
    tokens_in: tokensIn,
    tokens_out: tokensOut,
    cache_tokens: isFailed ? null : 0,
    cost_nano_usd: isFailed ? null : isCached ? 0 : cost,
    metadata: random() < METADATA_SHARE ? createMetadata(random) : null,
    event_id: random() < EVENT_SHARE ? `evt-${Math.floor(random() * 2 ** 48).toString(36)}` : null,
  };
}

const pickTeam = pickFrom(teams);
const pickEnvironment = pickFrom(environments);

function createMetadata(random: Random): string {
  const user = `user-${1 + Math.floor(random() * USERS)}`;
  return JSON.stringify({ team: pickTeam(random), env: pickEnvironment(random), user });
}
