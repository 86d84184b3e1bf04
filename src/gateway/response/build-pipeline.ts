import { BodyTranslator } from './body-translator.ts';
import { StreamTranslator } from './stream-translator.ts';
import { withHeaderUsage } from '../usage/header-usage.ts';
import { type UsageReader, createUsageReader } from '../usage/usage-reader.ts';
import { UNKNOWN_USAGE } from '../usage/usage.ts';
import { asksBase64, base64Embeddings } from './base64-embeddings.ts';
import { JsonRewriter } from './json-rewriter.ts';
import { ResponsePipeline } from './response-pipeline.ts';
import {
  type Head,
  type ResponseOptions,
  type ResponseSink,
  type ResponseStage,
  isEventStream,
} from './response-sink.ts';
import { streamedJson } from './streamed-json.ts';
import { UsageChunkStripper } from './usage-chunk-stripper.ts';
import type { Route, ClientResponse } from '../gateway-request.ts';

/**
 * Builds the path of a response to the client: translated if the route has a translation, otherwise byte for byte. JSON for
 * a client that requests a stream becomes a stream.
 */
export function buildPipeline(
  client: ClientResponse,
  route: Route,
  head: Head,
  options: ResponseOptions,
): ResponseSink {
  const { operation, streamed, body } = route;
  const isJson = JSON_TYPE.test(head.contentType ?? '');
  const isStream = streamed !== undefined && operation !== undefined;
  const isEncoded = operation === 'embeddings' && asksBase64(body);
  const { 'content-length': _length, ...headers } = head.headers;
  const isCoded = headers['content-encoding'] !== undefined;
  if (!isJson || isCoded || head.status >= 400 || !(isStream || isEncoded)) {
    return buildStages(client, route, head, options);
  }
  const createChanged = (): ResponseSink =>
    buildStages(client, route, { ...head, headers }, options);
  const createUnchanged = (): ResponseSink => buildStages(client, route, head, options);
  const createStream = (): ResponseSink => {
    const contentType = 'text/event-stream; charset=utf-8';
    const asStream = { ...head, contentType, headers: { ...headers, 'content-type': contentType } };
    // The stream contains the usage, for the log.
    const asksUsage =
      route.translation === undefined ? streamed?.includesUsage === false : route.asksUsage;
    return buildStages(client, { ...route, asksUsage }, asStream, options);
  };
  return isStream
    ? new JsonRewriter(streamedJson, createUnchanged, createStream)
    : new JsonRewriter(base64Embeddings, createUnchanged, createChanged);
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

function buildStages(
  client: ClientResponse,
  route: Route,
  head: Head,
  options: ResponseOptions,
): ResponseSink {
  const usage = usageReaderOf(head, route.path);
  const stage = stageOf(route, head, () => pipeline.ping());
  const { dialect } = route;
  const pipeline = new ResponsePipeline(client, head, { usage, stage, dialect }, options);
  return pipeline;
}

function stageOf(
  { translation, asksUsage }: Route,
  head: Head,
  onPing: () => void,
): ResponseStage | undefined {
  const isStream = isEventStream(head.contentType);
  if (translation === undefined) {
    return asksUsage && isStream ? new UsageChunkStripper() : undefined;
  }
  if (!isStream || head.status >= 400) return new BodyTranslator(translation, head);
  const { headers } = head;
  delete headers['content-encoding'];
  headers['content-type'] = 'text/event-stream; charset=utf-8';
  return new StreamTranslator(translation, asksUsage, onPing);
}

/** Reads nothing in a coding that is not supported: the response counts as incomplete. */
const UNREADABLE: UsageReader = {
  feed() {},
  read: () => UNKNOWN_USAGE,
  failure: () => 'incomplete',
};

function usageReaderOf({ headers, contentType }: Head, path: string): UsageReader {
  if (headers['content-encoding'] !== undefined) return UNREADABLE;
  const isCompletions = /(?:^|\/)completions$/.test(path);
  return withHeaderUsage(createUsageReader(contentType, isCompletions), headers);
}
