import type { BodyMembers } from '../json/body-members.ts';
import type { Endpoint, LocalProvider, UpstreamProvider } from '../providers/provider.ts';
import { objectIn, type JsonObject } from '../json/json-fields.ts';
import type { AdmittedCaller } from '../admitted-caller.ts';
import type { RequestOptions } from '../gateway-request.ts';

/** Returns true if the log, a spend rule or an export needs the token counts of the request. */
export function needsUsage({ gateway }: AdmittedCaller, { collectLog }: RequestOptions): boolean {
  const { collectLogs, spendRules, otelTargets } = gateway;
  return (collectLog ?? collectLogs) || spendRules.length > 0 || otelTargets.length > 0;
}

/** Returns true if the provider reports the usage of a stream of completions only on request. */
export function canRequestStreamUsage(
  provider: UpstreamProvider | LocalProvider,
  endpoint: Endpoint | undefined,
  members?: Pick<BodyMembers, 'hasDataSources'>,
): boolean {
  if (provider.kind !== 'upstream' || endpoint === undefined) return false;
  if (members?.hasDataSources === true && provider.rejectsUsageWithDataSources === true)
    return false;
  return provider.supportsIncludeUsage?.(endpoint) === true;
}

/** Requests the usage of a stream in a translated request. Undefined if the request needs no change. */
export function requestStreamUsage(request: JsonObject): JsonObject | undefined {
  const { stream, stream_options: options } = request;
  if (stream !== true || objectIn(options).include_usage === true) return undefined;
  return { ...request, stream_options: { ...objectIn(options), include_usage: true } };
}

/** Removes `stream_options` from a translated request if the provider rejects them. */
export function withoutRejectedOptions(
  provider: UpstreamProvider | LocalProvider,
  request: JsonObject,
): JsonObject {
  if (provider.kind === 'local' || provider.rejectsStreamOptions !== true) return request;
  const { stream_options: _refused, ...rest } = request;
  return rest;
}
