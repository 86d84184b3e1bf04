import type { RetryPolicy } from './gateways/gateway-store.ts';

/** Prices that a request names itself, US dollars a token. */
export interface CustomCost {
  perTokenIn: number;
  perTokenOut: number;
}

/** What a request says of its own treatment, in `cf-aig-*` headers; undefined: what the gateway says. */
export interface RequestOptions {
  skipCache: boolean;
  cacheTtlSeconds: number | undefined;
  cacheKey: string | undefined;
  collectLog: boolean | undefined;
  collectLogPayload: boolean;
  /** Its first entries, as texts by key. */
  metadata: Readonly<Record<string, string | number | boolean | null>>;
  customCost: CustomCost | undefined;
  /** Time to the first byte of the answer. */
  requestTimeoutMs: number | undefined;
  retry: Partial<RetryPolicy>;
  byokAlias: string | undefined;
  eventId: string | undefined;
}
