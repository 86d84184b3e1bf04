import { type MaybePromise, whenKnown } from '../lib/maybe-promise.ts';
import { countsApart } from './authenticate.ts';
import type { Exchange } from './exchange.ts';
import { isDeferredCall, isFreeCall } from './free-calls.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { Gateway } from './gateways/gateway-store.ts';
import { type CallSize, BYTES_PER_TOKEN, callSizeOf } from './limits/call-size.ts';
import type { SpendEstimate, SpendRefusal } from './limits/gateway-limits.ts';
import { type SpendSubject, mayFallUnder } from './limits/spend-budget.ts';
import { type BudgetState, SpendReservation } from './limits/spend-reservation.ts';
import { type LogEntry, type UsageSource, callerIds } from './logs/capture/log-entry.ts';
import { type CallCost, callCostOf, estimatedCostOf } from './prices/call-cost.ts';
import type { FoundPrice } from './prices/cost.ts';
import { isLocal } from './resolve-route.ts';
import type { Step } from './step.ts';
import type { Usage } from './usage/usage.ts';

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

/** Reserves and charges the cost of one step, including its retries. */
export class StepCharge {
  readonly #services: GatewayServices;
  readonly #exchange: Exchange;
  readonly #step: Step;
  #size: CallSize | undefined;
  #reservation: SpendReservation | undefined;
  /** The cost of the attempts before, in billionths of a US dollar. */
  #earlierNanoUsd = 0;
  #isStream = false;
  #isSent = false;

  constructor(services: GatewayServices, exchange: Exchange, step: Step) {
    this.#services = services;
    this.#exchange = exchange;
    this.#step = step;
  }

  /** The budget of which least is left; undefined: the step falls under no rule. */
  get budget(): BudgetState | undefined {
    return this.#reservation?.tightest;
  }

  /**
   * Reserves what the next attempt may cost.
   * @returns the rule that leaves no room for it; `deferred`: its cost cannot be known in time
   */
  reserve(): MaybePromise<SpendRefusal | 'deferred' | undefined> {
    const { gateway } = this.#exchange.admission;
    const { route } = this.#step;
    if (gateway.spendRules.length === 0 || isFreeCall(route.method, route.path)) return undefined;
    if (this.#isDeferred() && mustKnowCost(gateway, this.#subject())) return 'deferred';
    const { prices, limits, clock, genAi } = this.#services;
    const finding = prices.find(route.provider.name, route.model, clock.now());
    return whenKnown(finding, (price) =>
      whenKnown(limits.reserve(gateway, this.#subject(), this.#estimate(price)), (reserved) => {
        if (!(reserved instanceof SpendReservation)) {
          genAi.refused(reserved.isUnpriced);
          return reserved;
        }
        this.#reservation = reserved;
        if (reserved.tightest !== undefined) genAi.noteBudget(gateway, reserved.tightest);
        return undefined;
      }),
    );
  }

  /** An attempt begins: from now on, the provider may have received the request. */
  send(): void {
    this.#isSent = true;
  }

  /** The provider begins to answer. */
  begin(contentType: string | undefined): void {
    this.#isStream = !JSON_TYPE.test(contentType ?? '') || this.#step.route.path.includes('stream');
  }

  /**
   * Charges an attempt that failed, after which another one may follow.
   * @param isSent the provider may have seen the request
   */
  addAttempt(isSent: boolean): MaybePromise<void> {
    this.#isSent = isSent;
    if (!isSent) return undefined;
    const counted = this.#count(UNANSWERED, 'unanswered');
    return whenKnown(this.#costOf(counted), ({ nanoUsd, limit }) => {
      this.#earlierNanoUsd += nanoUsd ?? 0;
      this.#reservation?.add(limit);
      this.#reservation?.settle();
      this.#reservation = undefined;
      this.#isSent = false;
    });
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
    const finish = ({ nanoUsd, limit, source }: CallCost): void => {
      reservation?.add(limit);
      reservation?.settle();
      log(nanoUsd, source);
    };
    const fail = (error: unknown): void => {
      this.#exchange.log.error({ err: error }, 'the cost of a request could not be calculated');
      reservation?.keep();
      log(null);
    };
    try {
      const costing = this.#costOf(counted);
      if (costing instanceof Promise) void costing.then(finish).catch(fail);
      else finish(costing);
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Ends a step that was not settled: releases its reservation, or charges it when the provider may have
   * received the request.
   */
  close(): void {
    this.#reservation?.close(this.#isSent);
  }

  #subject(): SpendSubject {
    const { admission } = this.#exchange;
    const { route, options } = this.#step;
    return {
      provider: route.provider.name,
      model: route.model,
      ...callerIds(admission.caller),
      metadata: options.metadata ?? NO_METADATA,
      isApart: countsApart(admission),
    };
  }

  /** The server's own models have no price that a request could lower. */
  #trustsCustomCost(): boolean {
    return this.#exchange.admission.gateway.trustsCustomCost || isLocal(this.#step.route);
  }

  #sizeOf(): CallSize {
    const { operation, path, cost, received } = this.#step.route;
    const bytes = received.reduce((sum, piece) => sum + piece.length, 0);
    return (this.#size ??= callSizeOf({ operation, path, bytes, cost }));
  }

  #estimate(price: FoundPrice): SpendEstimate {
    const { route, options } = this.#step;
    return estimatedCostOf(price, this.#sizeOf(), {
      customCost: options.customCost,
      trustsCustomCost: this.#trustsCustomCost(),
      writesForHour: route.body.includes(FOR_AN_HOUR),
    });
  }

  #costOf({ usage, source }: CountedUsage): MaybePromise<CallCost> {
    if (source === null) return NO_COST;
    const { route, options } = this.#step;
    const { prices, clock } = this.#services;
    return callCostOf(prices, usage, {
      provider: route.provider.name,
      isCustom: route.provider.kind === 'upstream' && !route.provider.isTrusted,
      model: route.model,
      atMs: clock.now(),
      requestedFactor: this.#sizeOf()[source === 'estimate' ? 'priceFactor' : 'namedFactor'],
      customCost: options.customCost,
      trustsCustomCost: this.#trustsCustomCost(),
    });
  }

  #count(usage: Usage, end: CallEnd): CountedUsage {
    const { route } = this.#step;
    const isTold = usage.tokensIn !== null || usage.tokensOut !== null;
    if (isLocal(route)) return { usage, source: isTold ? 'provider' : null };
    if (isFreeCall(route.method, route.path)) return { usage, source: null };
    if (end === 'unbilled') return { usage, source: isTold ? 'provider' : null };
    const isWhole = end === 'whole' && !this.#isPending(usage);
    const size = this.#sizeOf();
    const hasOutput = size.tokensOut > 0;
    if (isWhole && usage.tokensIn !== null && (usage.tokensOut !== null || !hasOutput)) {
      return { usage, source: 'provider' };
    }
    const written = usage.textBytes === undefined ? undefined : usage.textBytes / BYTES_PER_TOKEN;
    const isRead = isWhole || (end === 'broken' && this.#isStream);
    const guess = Math.ceil((isRead ? written : undefined) ?? size.tokensOut);
    const tokensOut = obeysLimit(usage, size) ? Math.min(guess, size.tokensOut) : guess;
    if (isWhole && usage.tokensIn !== null && tokensOut === 0) return { usage, source: 'provider' };
    return {
      usage: {
        ...usage,
        tokensIn: usage.tokensIn ?? size.tokensIn,
        tokensOut: hasOutput ? Math.max(usage.tokensOut ?? 0, tokensOut) : usage.tokensOut,
      },
      source: 'estimate',
    };
  }

  /** The cost arises after the answer, and the request does not bound it. */
  #isDeferred(): boolean {
    const { method, path, cost } = this.#step.route;
    if (isDeferredCall(method, path)) return true;
    const isBackground = (cost?.get('background') ?? false) !== false;
    return isBackground && !this.#sizeOf().isBounded;
  }

  /** The answer only says that the provider has begun. */
  #isPending(usage: Usage): boolean {
    return this.#step.route.cost?.get('background') === true && usage.tokensOut === null;
  }
}

/** The provider has not sent more text than the limit of the request allows. */
function obeysLimit({ textBytes }: Usage, { isBounded, tokensOut }: CallSize): boolean {
  return isBounded && (textBytes ?? 0) <= tokensOut * LONG_TOKEN_BYTES;
}

/** A rule that does not let calls without a known price through may apply. */
function mustKnowCost(gateway: Gateway, subject: SpendSubject): boolean {
  return gateway.spendRules.some(
    (rule) => rule.unpriced !== 'allow' && mayFallUnder(gateway, rule, subject),
  );
}

const UNANSWERED: Usage = {
  tokensIn: null,
  tokensOut: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
};
