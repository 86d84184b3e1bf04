import type { Admission } from './authenticate.ts';
import type { BodyMembers } from './body-members.ts';
import type { RequestOptions } from './options.ts';
import type { Endpoint, LocalProvider, UpstreamProvider } from './providers/provider.ts';
import { objectIn } from './translation/json-fields.ts';
import type { JsonObject } from './translation/translation.ts';

/** Whether anybody would make use of the tokens that a request has taken. */
export function isUsageWanted({ gateway }: Admission, { collectLog }: RequestOptions): boolean {
  const { collectLogs, spendRules, otelTargets } = gateway;
  return (collectLog ?? collectLogs) || spendRules.length > 0 || otelTargets.length > 0;
}

/**
 * Whether the provider is to be asked for the usage of streams of completions: it tells it only
 * when it is asked, and is known to take the question well.
 */
export function mayAskUsage(
  provider: UpstreamProvider | LocalProvider,
  endpoint: Endpoint | undefined,
  members?: Pick<BodyMembers, 'hasDataSources'>,
): boolean {
  if (provider.kind !== 'upstream' || endpoint === undefined) return false;
  if (members?.hasDataSources === true && provider.refusesUsageBesideData === true) return false;
  return provider.tellsUsageWhenAsked?.(endpoint) === true;
}

/** The same for a request that was translated. */
export function askingTranslatedUsage(request: JsonObject): JsonObject | undefined {
  const { stream, stream_options: options } = request;
  if (stream !== true || objectIn(options).include_usage === true) return undefined;
  return { ...request, stream_options: { ...objectIn(options), include_usage: true } };
}

/** A request that was translated, as the provider takes it. */
export function withoutRefusedOptions(
  provider: UpstreamProvider | LocalProvider,
  request: JsonObject,
): JsonObject {
  if (provider.kind === 'local' || provider.refusesStreamOptions !== true) return request;
  const { stream_options: _refused, ...rest } = request;
  return rest;
}
