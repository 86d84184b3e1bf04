import type { MaybePromise } from '../lib/maybe-promise.ts';
import { whenKnown } from '../lib/maybe-promise.ts';
import type { Admission } from './authenticate.ts';
import { readBodyMembers } from './body-members.ts';
import { editBody } from './model-field.ts';
import type { RequestOptions } from './options.ts';
import type { Endpoint, LocalProvider, UpstreamProvider } from './providers/provider.ts';
import { objectIn } from './translation/json-fields.ts';
import type { JsonObject } from './translation/translation.ts';

const STREAM_KEY = Buffer.from('"stream"');

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
): boolean {
  return (
    provider.kind === 'upstream' &&
    endpoint !== undefined &&
    provider.tellsUsageWhenAsked?.(endpoint) === true
  );
}

/**
 * A request as its client wrote it, and asking for the usage of its stream besides.
 * @returns undefined when nothing is to be asked: see BodyMembers
 */
export function askingUsage(body: Buffer, maxDepth: number): MaybePromise<Buffer | undefined> {
  if (!body.includes(STREAM_KEY)) return undefined;
  return whenKnown(readBodyMembers(body, maxDepth), (members) => {
    if (typeof members === 'string' || members.usageEdit === undefined) return undefined;
    return editBody(body, [members.usageEdit]);
  });
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
