import { FAST_FACTOR, GEO_FACTOR, PRIORITY_FACTOR } from './call-size.ts';
import type { AnswerFacts } from '../usage/answer-facts.ts';

/** Service tiers at the listed price, in lower case. */
const LISTED: ReadonlySet<string> = new Set([
  'default',
  'standard',
  'on_demand',
  'provisioned_throughput',
  'auto',
  'scale',
]);
const HALF_PRICE: ReadonlySet<string> = new Set(['flex', 'on_demand_flex', 'batch']);
/** Providers with half of the listed price for these tiers. */
const WITH_HALF_PRICE: ReadonlySet<string> = new Set([
  'openai',
  'azure-openai',
  'anthropic',
  'google-ai-studio',
  'google-vertex-ai',
  'aws-bedrock',
]);

/**
 * Returns the price of the service tier of a response, relative to the listed price. For a tier without a known price, it is
 * not below the real one.
 * @param requested the factor of the requested tier, for responses without a tier
 */
export function tierFactor(
  provider: string,
  facts: AnswerFacts | undefined,
  requested: number,
): number {
  if (facts?.serviceTier === undefined && facts?.speed === undefined && requested !== 1) {
    return requested;
  }
  if (facts === undefined) return 1;
  const { serviceTier, speed, inferenceGeo } = facts;
  return (
    factorOf(provider, serviceTier?.toLowerCase()) *
    (speed === undefined || speed === 'standard' ? 1 : FAST_FACTOR) *
    (inferenceGeo === undefined || isAnywhere(inferenceGeo) ? 1 : GEO_FACTOR)
  );
}

function factorOf(provider: string, tier: string | undefined): number {
  if (tier === undefined || LISTED.has(tier)) return 1;
  if (HALF_PRICE.has(tier)) return WITH_HALF_PRICE.has(provider) ? 0.5 : 1;
  // Anthropic bills its priority tier in advance, at the listed price.
  return provider === 'anthropic' && tier === 'priority' ? 1 : PRIORITY_FACTOR;
}

function isAnywhere(geo: string): boolean {
  return geo === 'global' || geo === 'not_available';
}
