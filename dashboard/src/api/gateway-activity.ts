import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { serverNow } from '../lib/server-time.ts';
import { type AnalyticsParameters, type Figures, readAnalytics } from './analytics.ts';
import { allPages } from './all-pages.ts';
import { api, bodyOf } from './client.ts';
import { unlessFinal } from './failure.ts';
import { countLogs } from './gateway-logs.ts';
import { type GatewayPlace, gatewaysKey } from './gateways.ts';
import { type ApiToken, tokensKey } from './tokens.ts';
import { DAY_MS, HOUR_MS } from '../lib/time-units.ts';

// As many as the API tells one by one.
const MOST_GATEWAYS = 100;

/** Figures of today that are looked at for a while. */
const REFRESH_MS = 60_000;

/** When the person's own day began. */
function midnight(nowMs: number): Date {
  const date = new Date(nowMs);
  date.setHours(0, 0, 0, 0);
  return date;
}

/** What each gateway of an account did today. */
export interface TodayByGateway {
  /** When the person's day began, to the hour in which it did. */
  since: string;
  totals: Figures;
  /** Of the busiest gateways; one that is neither here nor among the others did nothing. */
  byId: ReadonlyMap<string, Figures>;
  /** Of all further gateways together; undefined when there are none. */
  others: Figures | undefined;
}

/** By what the gateways are chosen that are told one by one. */
export type TodayOrder = 'requests' | 'errors' | 'cost';

/** Today's figures of all gateways, in one question. */
export const todayByGatewayQuery = (accountId: string, order: TodayOrder) =>
  queryOptions({
    queryKey: [...gatewaysKey(accountId), 'today', 'by-gateway', order],
    refetchInterval: unlessFinal(REFRESH_MS),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<TodayByGateway> => {
      const query: AnalyticsParameters = {
        since: midnight(serverNow()).toISOString(),
        group_by: 'gateway',
        interval: 'hour',
        limit: MOST_GATEWAYS,
        order_by: order,
      };
      const { since, totals, groups } = await readAnalytics({ accountId }, query, signal);
      const told = groups.filter(({ is_other: isOther }) => !isOther);
      return {
        since,
        totals,
        byId: new Map(told.map((group) => [group.value ?? '', group.totals])),
        others: groups.find(({ is_other: isOther }) => isOther)?.totals,
      };
    },
  });

/** What can be added up over stretches of time. */
export type Counts = Pick<Figures, 'requests' | 'errors' | 'cost' | 'tokens_in' | 'tokens_out'>;

/** What a gateway did today, and what it had done yesterday by the same time. */
export interface Today {
  since: string;
  figures: Figures;
  yesterday: Counts;
}

/** Today's figures of a gateway. */
export const todayQuery = (place: GatewayPlace) =>
  queryOptions({
    queryKey: [...gatewaysKey(place.accountId), 'today', 'of', place.gatewayId],
    refetchInterval: unlessFinal(REFRESH_MS),
    queryFn: async ({ signal }): Promise<Today> => {
      const nowMs = serverNow();
      const since = midnight(nowMs).toISOString();
      const { since: widened, totals } = await readAnalytics(
        place,
        { since, interval: 'hour' },
        signal,
      );
      const yesterday = await countsBetween(
        place,
        Date.parse(widened) - DAY_MS,
        nowMs - DAY_MS,
        signal,
      );
      return { since: widened, figures: totals, yesterday };
    },
  });

/** Adds up whole hours and the minutes of the last one: a question for either, and no more points than that. */
async function countsBetween(
  place: GatewayPlace,
  sinceMs: number,
  untilMs: number,
  signal: AbortSignal,
): Promise<Counts> {
  const hourMs = Math.max(sinceMs, Math.floor(untilMs / HOUR_MS) * HOUR_MS);
  const parts = [
    { sinceMs, untilMs: hourMs, interval: 'hour' as const },
    { sinceMs: hourMs, untilMs, interval: 'minute' as const },
  ].filter((part) => part.sinceMs < part.untilMs);
  const answers = await Promise.all(
    parts.map(({ interval, ...part }) => {
      const [since, until] = [part.sinceMs, part.untilMs].map((ms) => new Date(ms).toISOString());
      return readAnalytics(place, { since, until, interval } as AnalyticsParameters, signal);
    }),
  );
  const sum = (name: keyof Counts): number =>
    answers.reduce((total, { totals }) => total + totals[name], 0);
  return {
    requests: sum('requests'),
    errors: sum('errors'),
    cost: sum('cost'),
    tokens_in: sum('tokens_in'),
    tokens_out: sum('tokens_out'),
  };
}

/** Who sent requests in the last 24 hours, as far as they were logged. */
export interface Callers {
  requests: number;
  /** Of these, by nobody who said who it was: without a valid token that may run requests. */
  unknown: number;
  /** Whether there are so many that they were not all counted. */
  isEstimated: boolean;
}

/** How many requests of the last 24 hours came without a valid token. */
export const callersQuery = (place: GatewayPlace) =>
  queryOptions({
    queryKey: [...gatewaysKey(place.accountId), 'callers', place.gatewayId],
    queryFn: async ({ signal }): Promise<Callers> => {
      const since = new Date(serverNow() - DAY_MS).toISOString();
      const lately = { key: 'created_at', operator: 'gt', values: [since] };
      const [all, unknown] = await Promise.all(
        [[lately], [lately, ...nobody]].map((filters) => {
          const order = { by: 'created_at', direction: 'desc' } as const;
          return countLogs(place, { filters, search: '', order }, signal);
        }),
      );
      const requests = all?.total ?? 0;
      return {
        requests,
        // One may be an estimate and the other not.
        unknown: Math.min(requests, unknown?.total ?? 0),
        isEstimated: all?.isEstimated === true || unknown?.isEstimated === true,
      };
    },
  });

// A token of a person, of an application, and a page of ours have a user, one of the account has none.
const nobody = ['token_id', 'user_id'].map((key) => ({ key, operator: 'eq', values: [''] }));

const TOKENS_PER_PAGE = 1_000;

/** The tokens of the account that may run requests through a gateway. */
export const runTokensQuery = ({ accountId, gatewayId }: GatewayPlace) =>
  queryOptions({
    queryKey: [...tokensKey({ kind: 'account', accountId }), 'run', gatewayId],
    queryFn: async ({ signal }): Promise<ApiToken[]> => {
      const tokens = await allPages((page) => {
        const query = { page, per_page: TOKENS_PER_PAGE };
        const params = { path: { account_id: accountId }, query };
        return bodyOf(api.GET('/accounts/{account_id}/tokens', { signal, params }));
      });
      return tokens.filter((token) => token.status === 'active' && mayRun(token, gatewayId));
    },
  });

const RUN = 'AI Gateway Run';

/** Whether the policies of a token let it run requests through a gateway. */
function mayRun({ policies }: ApiToken, gatewayId: string): boolean {
  const named = policies.filter(
    ({ permission_groups: groups, resources }) =>
      groups.some(({ name }) => name === RUN) &&
      Object.keys(resources).some((name) => covers(name, gatewayId)),
  );
  return named.length > 0 && named.every(({ effect }) => effect === 'allow');
}

/** Whether a token names a gateway, rather than the whole account. */
export function isMadeFor({ policies }: ApiToken, gatewayId: string): boolean {
  const end = `.ai-gateway.${gatewayId}`;
  return policies.some(({ resources }) =>
    Object.keys(resources).some((name) => name.endsWith(end)),
  );
}

function covers(resource: string, gatewayId: string): boolean {
  const [, gateway] = resource.split('.ai-gateway.');
  return gateway === undefined || gateway === gatewayId;
}
