import type { ErrorDefinition } from '../../http/errors.ts';
import { gatewayErrors } from '../gateway-errors.ts';
import type { ClientResponse, Dialect, Route } from '../gateway-request.ts';
import { withHeaderUsage } from '../usage/header-usage.ts';
import { type UsageReader, createUsageReader } from '../usage/usage-reader.ts';
import { UNKNOWN_USAGE, type Usage } from '../usage/usage.ts';
import { asksBase64, base64Embeddings } from './base64-embeddings.ts';
import { BodyTranslator } from './body-translator.ts';
import { errorEvent } from './error-body.ts';
import { JsonRewriter } from './json-rewriter.ts';
import { KeepAlive } from './keep-alive.ts';
import {
  type Head,
  type ResponseObserver,
  type ResponseOptions,
  type ResponseSink,
  type ResponseStage,
  isEventStream,
} from './response-sink.ts';
import { StreamTranslator } from './stream-translator.ts';
import { streamedJson } from './streamed-json.ts';
import { UsageChunkStripper } from './usage-chunk-stripper.ts';

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Reads nothing in a coding that is not supported: the response counts as incomplete. */
const UNREADABLE: UsageReader = {
  feed() {},
  read: () => UNKNOWN_USAGE,
  failure: () => 'incomplete',
};

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
  const isCoded = head.headers['content-encoding'] !== undefined;
  if (!isJson || isCoded || head.status >= 400 || !(isStream || isEncoded)) {
    return buildStages(client, route, head, options);
  }
  const { 'content-length': _length, ...headers } = head.headers;
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

function usageReaderOf({ headers, contentType }: Head, path: string): UsageReader {
  if (headers['content-encoding'] !== undefined) return UNREADABLE;
  const isCompletions = /(?:^|\/)completions$/.test(path);
  return withHeaderUsage(createUsageReader(contentType, isCompletions), headers);
}

interface PipelineParts {
  usage: UsageReader;
  /** Undefined: the bytes pass unchanged. */
  stage: ResponseStage | undefined;
  dialect: Dialect;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Passes a response of a provider to the client: the usage reader sees the bytes of the provider, the stage changes them, and
 * the cache and the log get copies of the bytes for the client.
 */
class ResponsePipeline implements ResponseSink {
  readonly #client: ClientResponse;
  readonly #head: Head;
  readonly #parts: PipelineParts;
  readonly #options: ResponseOptions;
  readonly #isStream: boolean;
  /** In a coding that is not supported: the gateway cannot append an event. */
  readonly #isCoded: boolean;
  readonly #length: number;
  readonly #observers: ResponseObserver[] = [];
  #capture: ResponseObserver | undefined;
  #keepAlive: KeepAlive | undefined;
  #received = 0;
  #isEnded = false;

  /** @param head the pipeline may change its headers */
  constructor(client: ClientResponse, head: Head, parts: PipelineParts, options: ResponseOptions) {
    this.#client = client;
    this.#head = head;
    this.#parts = parts;
    this.#options = options;
    const { headers, contentType } = head;
    this.#isStream = isEventStream(contentType) && parts.stage?.isWhole !== true;
    this.#isCoded = headers['content-encoding'] !== undefined;
    // A stream that breaks off ends with an event of the gateway, so its length is unknown.
    if (this.#isStream || parts.stage !== undefined) delete headers['content-length'];
    this.#length = Number(headers['content-length'] ?? Number.NaN);
    // A stream may begin with silence. Any other response sends its head along with its body.
    if (this.#isStream && !options.holdsHead) this.#begin();
  }

  write(chunk: Buffer): boolean {
    const { usage, stage } = this.#parts;
    usage.feed(chunk);
    if (stage !== undefined) return this.#send(stage.write(chunk));
    this.#received += chunk.length;
    if (this.#received !== this.#length) return this.#send(chunk);
    // The last chunk is sent together with the end, and often with the head.
    this.#end(chunk);
    return true;
  }

  end(): ErrorDefinition | undefined {
    const { upstreamFailed } = gatewayErrors;
    const failure = this.#failure();
    if (!this.#isEnded) {
      const rest = this.#rest(failure === 'incomplete');
      if (rest === undefined) {
        this.fail(upstreamFailed);
        return upstreamFailed;
      }
      this.#end(rest);
    }
    if (failure !== undefined) {
      this.abandon();
      return upstreamFailed;
    }
    const usage = this.usage();
    for (const observer of this.#observers) observer.onEnd?.(usage);
    return undefined;
  }

  /** An error response is a failure already. A stage that returns the whole response validates it. */
  #failure() {
    const { usage, stage } = this.#parts;
    const isChecked = this.#head.status < 400 && stage?.isWhole !== true;
    return isChecked ? usage.failure?.() : undefined;
  }

  #rest(isIncomplete: boolean): Buffer | undefined {
    const { stage } = this.#parts;
    if (stage === undefined) return isIncomplete && !this.#isCoded ? undefined : NO_BYTES;
    const rest = stage.end(isIncomplete);
    if (rest !== undefined && stage.isWhole) this.#describeJson(rest);
    return rest;
  }

  #describeJson(body: Buffer): void {
    const { headers } = this.#head;
    headers['content-type'] = 'application/json';
    headers['content-length'] = String(body.length);
  }

  fail(error: ErrorDefinition): void {
    const { stage, dialect } = this.#parts;
    if (!this.#isStream && !this.#client.hasBegun) return this.#sendError(error);
    if (stage !== undefined) this.#send(stage.abort());
    if (this.#isStream) this.#begin();
    this.abandon();
    const event = this.#isStream && !this.#isCoded ? errorEvent(dialect, error) : undefined;
    if (event !== undefined) this.#capture?.onChunk(Buffer.from(event));
    this.#client.abort(error, event);
  }

  #sendError(error: ErrorDefinition): void {
    this.#head.status = error.status;
    const body = Buffer.from(JSON.stringify(this.#options.errorBody(error)));
    this.#describeJson(body);
    this.#end(body);
  }

  abandon(): void {
    this.#keepAlive?.stop();
    for (const observer of this.#observers) observer.onAbort?.();
  }

  ping(): void {
    this.#keepAlive?.ping();
  }

  isComplete(): boolean {
    const { usage, stage } = this.#parts;
    return stage?.isWhole !== true && usage.isComplete?.() === true;
  }

  usage(): Usage {
    return this.#parts.usage.read();
  }

  #begin(): void {
    if (this.#client.hasBegun) return;
    const { status, headers } = this.#head;
    const { record, capture, pingIntervalMs } = this.#options;
    const recording = isStorable(status) ? record?.(this.#head) : undefined;
    this.#capture = capture?.(headers);
    if (recording !== undefined) this.#observers.push(recording);
    if (this.#capture !== undefined) this.#observers.push(this.#capture);
    this.#client.begin(status, headers, this.#isStream);
    // A ping within a compressed stream would damage it.
    if (!this.#isStream || this.#isCoded) return;
    this.#keepAlive = new KeepAlive(this.#client, this.#parts.dialect, pingIntervalMs);
  }

  #send(chunk: Buffer): boolean {
    if (chunk.length === 0) return true;
    this.#begin();
    for (const observer of this.#observers) observer.onChunk(chunk);
    this.#keepAlive?.note(chunk);
    return this.#client.write(chunk);
  }

  #end(rest: Buffer): void {
    this.#isEnded = true;
    this.#begin();
    this.#keepAlive?.stop();
    if (rest.length === 0) return this.#client.end();
    for (const observer of this.#observers) observer.onChunk(rest);
    this.#client.end(rest);
  }
}

/** Decides if the cache keeps a response: it is a success, and not a part of one (RFC 9111 section 3). */
function isStorable(status: number): boolean {
  return status >= 200 && status < 300 && status !== 206;
}
