import {
  type DeferredApi,
  deferredApiOf,
  deletedIdOf,
  statePathOf,
} from '../deferred/deferred-api.ts';
import { type GatewayRequest, isLocal, type ProviderStep } from '../gateway-request.ts';
import { isDeferredCall, isFreeCall } from '../pricing/free-calls.ts';
import { GatewayError, RETRYABLE } from '../gateway-error.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DeferredCalls } from '../deferred/deferred-calls.ts';
import { type CallSize, BYTES_PER_TOKEN, callSizeOf } from '../pricing/call-size.ts';
import type { GatewayLimits, SpendEstimate } from '../limits/gateway-limits.ts';
import { spendLimitError } from '../limits/limit-errors.ts';
import { type SpendSubject, mayFallUnder } from '../limits/spend-budget.ts';
import { type BudgetState, SpendReservation } from '../limits/spend-reservation.ts';
import type { LogEntry } from '../capture/log-entry.ts';
import type { SpendMetrics } from '../limits/spend-metrics.ts';
import type { UsageSource } from '../../request-log/record.ts';
import {
  type CallCost,
  type PricedCall,
  callCostOf,
  estimatedCostOf,
} from '../limits/call-cost.ts';
import type { FoundPrice, Prices } from '../pricing/cost.ts';
import type { HeaderPairs } from '../providers/provider.ts';
import type { Usage } from '../usage/usage.ts';
import { countsApart, callerIds } from '../admitted-caller.ts';
import type { Gateway } from '../../gateway-admin/snapshot.ts';

/**
 * The end of a call: the response is complete (`whole`) or broke off (`broken`), the provider may have
 * received the request and did not respond (`unanswered`), or it bills nothing (`unbilled`).
 */
export type CallEnd = 'whole' | 'broken' | 'unanswered' | 'unbilled';

const NO_METADATA = {};
// Text of any language has fewer bytes per token.
const LONG_TOKEN_BYTES = 8;
// Anthropic's `ttl` of a part of the prompt.
const FOR_AN_HOUR = Buffer.from('"1h"');
const NO_COST: CallCost = { nanoUsd: null, limit: { nanoUsd: 0, isUnpriced: false } };
const JSON_TYPE = /^[\w.-]{1,64}\/(?:[\w.-]{1,64}\+)?json[ \t]*(?:;|$)/i;

/** The usage of a call, and where it comes from. */
interface CountedUsage {
  usage: Usage;
  /** Null: there is none. */
  source: UsageSource | null;
}

/** The dependencies of charging. */
export interface ChargeServices {
  clock: Clock;
  limits: GatewayLimits;
  prices: Prices;
  /** Settles the calls that providers bill after their response. */
  deferred: DeferredCalls;
  spendMetrics: SpendMetrics;
}

/** Reserves and charges the cost of one step, including its retries. */
export class StepCharge {
  readonly #services: ChargeServices;
  readonly #request: GatewayRequest;
  readonly #step: ProviderStep;
  /** The provider processes the call after its response, and a spend rule may apply. */
  readonly #api: DeferredApi | undefined;
  #headers: HeaderPairs = [];
  #size: CallSize | undefined;
  #reservation: SpendReservation | undefined;
  #budget: BudgetState | undefined;
  /** The cost of the attempts before, in billionths of a US dollar. */
  #earlierNanoUsd = 0;
  #isStream = false;
  #isSent = false;

  constructor(services: ChargeServices, request: GatewayRequest, step: ProviderStep) {
    this.#services = services;
    this.#request = request;
    this.#step = step;
    const { route } = step;
    const hasRules = request.gateway.spendRules.length > 0;
    this.#api = hasRules && !isLocal(route) ? deferredApiOf(route) : undefined;
  }

  /** The response is read to its end, even without a client, since it contains the id of the work. */
  get isLasting(): boolean {
    return this.#api !== undefined;
  }

  /** {@link reserve} has to be called: a spend rule may apply, or a deletion needs the cost of a call before. */
  get isLimited(): boolean {
    return this.#request.gateway.spendRules.length > 0 || this.#step.route.method === 'DELETE';
  }

  /** The budget of which least is left; undefined: the step falls under no rule. */
  get budget(): BudgetState | undefined {
    return this.#reservation?.tightest ?? this.#budget;
  }

  /** Reads {@link budget} for a response that costs nothing. Never fails. */
  async readBudget(): Promise<void> {
    const { gateway } = this.#request;
    if (gateway.spendRules.length === 0) return;
    this.#budget = await this.#services.limits.tightestOf(gateway, this.#subject());
  }

  /**
   * Reserves the highest plausible cost of the next attempt.
   * @throws GatewayError 2011 or 2030 if a rule rejects the cost; 2027, 2028 or 2029 for calls whose cost arises after
   *   their response
   */
  async reserve(): Promise<void> {
    const { gateway } = this.#request;
    const { route } = this.#step;
    const deleted = deletedIdOf(route.method, route.path);
    if (deleted !== undefined) return this.#settleBeforeDeletion(deleted);
    if (gateway.spendRules.length === 0) return;
    if (isFreeCall(route.method, route.path)) return this.readBudget();
    if (this.#isUnmeasured() && mustKnowCost(gateway, this.#subject(), this.#isBatch)) {
      throw new GatewayError(gatewayErrors.deferredCost, RETRYABLE);
    }
    if (this.#api !== undefined) {
      const hasCapacity = await this.#services.deferred.hasCapacity(gateway.accountId, gateway.id);
      if (!hasCapacity) throw new GatewayError(gatewayErrors.tooManyDeferred, RETRYABLE);
    }
    await this.#reserve();
  }

  async #settleBeforeDeletion(id: string): Promise<void> {
    const { deferred } = this.#services;
    const isSettled = await deferred.settleBeforeDeletion(this.#step.route.provider.name, id);
    if (!isSettled) throw new GatewayError(gatewayErrors.notOver, RETRYABLE);
  }

  async #reserve(): Promise<void> {
    const { gateway } = this.#request;
    const { route } = this.#step;
    const { prices, limits, clock, spendMetrics } = this.#services;
    const price = await prices.find(route.provider.name, route.model, clock.now());
    const reserved = await limits.reserve(gateway, this.#subject(), this.#estimate(price));
    if (!(reserved instanceof SpendReservation)) {
      spendMetrics.refused(reserved.isUnpriced);
      throw spendLimitError(reserved);
    }
    this.#reservation = reserved;
    if (reserved.tightest !== undefined) spendMetrics.noteBudget(gateway, reserved.tightest);
  }

  /** An attempt begins: from now on, the provider may have received the request. */
  send(headers: HeaderPairs): void {
    this.#isSent = true;
    this.#headers = headers;
  }

  /** The provider begins to answer. */
  begin(contentType: string | undefined): void {
    this.#isStream = !JSON_TYPE.test(contentType ?? '') || this.#step.route.path.includes('stream');
  }

  /** Charges a failed attempt that the provider may bill, after which another one may follow. */
  async addAttempt(): Promise<void> {
    this.#isSent = true;
    const { nanoUsd, limit } = await this.#costOf(this.#count(UNANSWERED, 'unanswered'));
    this.#earlierNanoUsd += nanoUsd ?? 0;
    this.#reservation?.add(limit);
    this.#reservation?.settle();
    this.#reservation = undefined;
    this.#isSent = false;
  }

  /**
   * The step is over: charges what it cost, and logs the row.
   * @param usage the counts of the provider so far
   * @param failure status to log instead of the answer's own, when it did not end well
   */
  settle(entry: LogEntry, usage: Usage, end: CallEnd, failure?: number): void {
    const nowMs = this.#services.clock.now();
    const counted = this.#count(usage, end);
    const reservation = this.#reservation;
    reservation?.expect();
    const log = (nanoUsd: number | null, source = counted.source): void => {
      const earlier = this.#earlierNanoUsd;
      const cost = nanoUsd === null && earlier === 0 ? null : (nanoUsd ?? 0) + earlier;
      entry.end(counted.usage, cost, nowMs, { failure, usageSource: source });
    };
    const finish = (cost: CallCost): void => {
      reservation?.add(cost.limit);
      reservation?.settle();
      if (this.#isTracked(usage, end)) {
        // The row for the end of the call contains its cost.
        const earlier = this.#earlierNanoUsd === 0 ? null : this.#earlierNanoUsd;
        entry.end(UNANSWERED, earlier, nowMs, { failure });
        this.#track(entry, counted.usage, cost);
      } else log(cost.nanoUsd, cost.source);
    };
    const fail = (error: unknown): void => {
      this.#request.log.error({ err: error }, 'failed to calculate the cost of a request');
      reservation?.keep();
      log(null);
    };
    void this.#costOf(counted).then(finish).catch(fail);
  }

  /**
   * Ends a step that was not settled: releases its reservation, or charges it when the provider may have
   * received the request.
   */
  close(): void {
    this.#reservation?.close(this.#isSent);
  }

  #subject(): SpendSubject {
    const { route, options } = this.#step;
    const { tokenId, userId, oauthClientId } = callerIds(this.#request.caller);
    return {
      provider: route.provider.name,
      model: route.model,
      tokenId,
      userId,
      oauthClientId,
      metadata: options.metadata ?? NO_METADATA,
      isApart: countsApart(this.#request),
    };
  }

  /** The server's own models have no price that a request could lower. */
  #trustsCustomCost(): boolean {
    return this.#request.gateway.trustsCustomCost || isLocal(this.#step.route);
  }

  #sizeOf(): CallSize {
    if (this.#size !== undefined) return this.#size;
    const { operation, path, cost, received } = this.#step.route;
    const bytes = received.reduce((sum, piece) => sum + piece.length, 0);
    this.#size = callSizeOf({ operation, path, bytes, cost });
    return this.#size;
  }

  #estimate(price: FoundPrice): SpendEstimate {
    const { route, options } = this.#step;
    return estimatedCostOf(price, this.#sizeOf(), {
      customCost: options.customCost,
      trustsCustomCost: this.#trustsCustomCost(),
      writesForHour: () => route.body.includes(FOR_AN_HOUR),
    });
  }

  #costOf({ usage, source }: CountedUsage): Promise<CallCost> {
    if (source === null) return Promise.resolve(NO_COST);
    const { prices, clock } = this.#services;
    return callCostOf(prices, usage, {
      ...this.#pricing(),
      atMs: clock.now(),
      requestedFactor: this.#sizeOf()[source === 'estimate' ? 'priceFactor' : 'namedFactor'],
    });
  }

  #pricing(): Omit<PricedCall, 'atMs'> {
    const { route, options } = this.#step;
    return {
      provider: route.provider.name,
      isCustom: route.provider.kind === 'upstream' && !route.provider.isTrusted,
      // Each request of a batch has a model of its own.
      model: this.#isBatch ? '' : route.model,
      requestedFactor: this.#sizeOf().namedFactor,
      customCost: options.customCost,
      trustsCustomCost: this.#trustsCustomCost(),
    };
  }

  #count(usage: Usage, end: CallEnd): CountedUsage {
    const { route } = this.#step;
    if (isLocal(route)) return { usage, source: sourceOf(usage) };
    if (isFreeCall(route.method, route.path)) return { usage, source: null };
    if (end === 'unbilled') return { usage, source: sourceOf(usage) };
    const isWhole = end === 'whole' && !this.#isPending(usage);
    const size = this.#sizeOf();
    const hasOutput = size.tokensOut > 0;
    const isCounted = isWhole && usage.tokensIn !== null;
    if (isCounted && (usage.tokensOut !== null || !hasOutput)) return { usage, source: 'provider' };
    const tokensOut = this.#estimateOutput(usage, end);
    if (isCounted && tokensOut === 0) return { usage, source: 'provider' };
    return {
      usage: {
        ...usage,
        tokensIn: usage.tokensIn ?? size.tokensIn,
        tokensOut: hasOutput ? Math.max(usage.tokensOut ?? 0, tokensOut) : usage.tokensOut,
      },
      source: 'estimate',
    };
  }

  /** Estimates the tokens of the response from its text, or else from the limit of the request. */
  #estimateOutput(usage: Usage, end: CallEnd): number {
    const size = this.#sizeOf();
    const hasText = end === 'whole' || (end === 'broken' && this.#isStream);
    const bytes = hasText && !this.#isPending(usage) ? usage.textBytes : undefined;
    const guess = Math.ceil(bytes === undefined ? size.tokensOut : bytes / BYTES_PER_TOKEN);
    return obeysLimit(usage, size) ? Math.min(guess, size.tokensOut) : guess;
  }

  get #isBatch(): boolean {
    return this.#api === 'batch' || this.#api === 'message_batch';
  }

  /** The cost arises after the response, and the gateway cannot read it from the provider. */
  #isUnmeasured(): boolean {
    if (this.#api === 'response') return false;
    const { method, path, cost } = this.#step.route;
    if (isDeferredCall(method, path)) return true;
    const isBackground = (cost?.get('background') ?? false) !== false;
    return isBackground && !this.#sizeOf().isBounded;
  }

  /** The response only says that the provider has begun. */
  #isPending(usage: Usage): boolean {
    if (this.#isBatch) return true;
    return this.#step.route.cost?.get('background') === true && usage.tokensOut === null;
  }

  /** The cost will be known later. */
  #isTracked(usage: Usage, end: CallEnd): boolean {
    if (this.#api === undefined || this.#reservation === undefined) return false;
    const hasBegun = end === 'whole' || end === 'broken';
    return hasBegun && this.#isPending(usage) && usage.facts?.id !== undefined;
  }

  #track(entry: LogEntry, usage: Usage, { nanoUsd, limit }: CallCost): void {
    const { route } = this.#step;
    const externalId = usage.facts?.id;
    if (isLocal(route) || this.#api === undefined || externalId === undefined) return;
    const { accountId, id: gatewayId } = this.#request.gateway;
    const { provider, endpoint } = route;
    void this.#services.deferred.track(
      { accountId, gatewayId, provider: provider.name, externalId },
      {
        api: this.#api,
        isTrusted: provider.isTrusted,
        origin: endpoint.origin,
        path: statePathOf(endpoint.path, externalId),
        headers: this.#headers,
        pricing: this.#pricing(),
        chargedNanoUsd: limit.nanoUsd,
        estimate: { usage, nanoUsd },
        budgets: this.#reservation?.counting ?? [],
        ...entry.template,
      },
    );
  }
}

function sourceOf({ tokensIn, tokensOut }: Usage): UsageSource | null {
  return tokensIn === null && tokensOut === null ? null : 'provider';
}

/** The provider has not sent more text than the limit of the request allows. */
function obeysLimit({ textBytes }: Usage, { isBounded, tokensOut }: CallSize): boolean {
  return isBounded && (textBytes ?? 0) <= tokensOut * LONG_TOKEN_BYTES;
}

/**
 * Checks for a rule that may apply and does not let calls without a known price through.
 * @param isMeasured the cost becomes known, but not for each model
 */
function mustKnowCost(gateway: Gateway, subject: SpendSubject, isMeasured: boolean): boolean {
  return gateway.spendRules.some(
    (rule) =>
      rule.unpriced !== 'allow' &&
      !(isMeasured && rule.model === undefined) &&
      mayFallUnder(gateway, rule, subject),
  );
}

const UNANSWERED: Usage = {
  tokensIn: null,
  tokensOut: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};
