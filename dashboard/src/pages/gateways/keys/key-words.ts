import type { CustomProvider } from '../../../api/custom-providers.ts';
import { CUSTOM_PREFIX } from '../../../api/custom-providers.ts';
import type { ProviderConfig } from '../../../api/provider-configs.ts';
import { formatCount } from '../../../lib/figures.ts';
import { windowWords } from '../spend/spend-words.ts';
import { knownProvider } from './known-providers.ts';
import { labels } from './labels.ts';

/** What a provider is called, as people know it. */
export function providerName(slug: string, own: readonly CustomProvider[]): string {
  const known = knownProvider(slug)?.name;
  return known ?? own.find((provider) => CUSTOM_PREFIX + provider.slug === slug)?.name ?? slug;
}

/** "100 requests a minute"; undefined for a key without a limit. */
export function rateLimitWords(config: ProviderConfig): string | undefined {
  const { rate_limit: requests, rate_limit_period: seconds } = config;
  if (requests === undefined || seconds === undefined) return undefined;
  const words = windowWords(seconds);
  const window = /^\d/.test(words) ? `every ${words}` : `${words === 'hour' ? 'an' : 'a'} ${words}`;
  return requests === 1
    ? `1 request ${window}`
    : labels.requestsPerWindow(formatCount(requests), window);
}

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** What stops working, or works otherwise, without a key. */
export function lossOf(config: ProviderConfig, others: readonly ProviderConfig[]): string[] {
  const { alias, provider_slug: slug, default_config: isDefault } = config;
  const losses = [labels.requestsThatSelect(alias)];
  if (!isDefault) return losses;
  const left = others.filter((other) => other.provider_slug === slug && other.id !== config.id);
  // The operator has keys for built-in providers only.
  const instead = knownProvider(slug) === undefined ? labels.withoutKey : labels.withOperatorKey;
  losses.push(labels.requestsToWithoutTheirOwn(slug, instead));
  if (left.length > 0) {
    const names = or.format(left.map((other) => other.alias));
    losses.push(labels.noOtherKeyBecomes(names));
  }
  return losses;
}
