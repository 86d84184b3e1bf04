import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Agent, Dispatcher } from 'undici';
import { type ErrorDefinition, httpErrors } from '../http/errors.ts';
import { type Exchange, openAiError, ownHeaders, refuse } from './exchange.ts';
import { gatewayErrors } from './gateway-errors.ts';
import type { GatewayServices } from './gateway-services.ts';
import { downstreamHeaders, upstreamHeaders } from './headers.ts';
import { CLIENT_GONE, LogEntry } from './logs/log-entry.ts';
import type { LocalProvider, UpstreamProvider } from './providers/provider.ts';
import { type Route, resolveRoute } from './resolve-route.ts';
import { type UsageReader, createUsageReader } from './usage.ts';

/**
 * The gateway's request path, top to bottom, from where the caller has been admitted (see
 * authenticate.ts) and the body has arrived: where does it go, pass it on, pass the answer back as it
 * comes, log it. It never waits for the database.
 */
export async function forward(
  services: GatewayServices,
  agent: Agent,
  exchange: Exchange,
): Promise<void> {
  const route = await resolveRoute(services, exchange);
  if ('code' in route) return refuse(exchange, route);
  // Nobody is left to answer: a call now would cost tokens that no one sees.
  if (exchange.response.destroyed) return;

  const { provider } = route;
  const log = new LogEntry(services.logWriter, exchange, route);
  if (provider.kind === 'local') return answerLocally(services, exchange, provider, route, log);

  agent.dispatch(
    {
      origin: provider.origin,
      path: joinPath(provider.basePath, route.path),
      method: exchange.request.method as Dispatcher.HttpMethod,
      headers: requestHeaders(exchange, provider),
      body: route.body.length > 0 ? route.body : null,
      headersTimeout: services.upstreamHeadersTimeoutMs,
      bodyTimeout: services.upstreamIdleTimeoutMs,
    },
    new UpstreamCall(services, exchange, provider, log),
  );
}

function joinPath(basePath: string, path: string): string {
  return path.startsWith('/') ? basePath + path : `${basePath}/${path}`;
}

/**
 * A key kept on this server is lent only to a caller who is known, or where the gateway's owner
 * said so; and never in place of one that the caller brought.
 */
function requestHeaders(
  { request, wanted, admission: { gateway, caller } }: Exchange,
  provider: UpstreamProvider,
): string[] {
  const headers = upstreamHeaders(request.rawHeaders, wanted.way === 'rest');
  const mayUseStoredKey = caller !== undefined || gateway.allowStoredKeysUnauthenticated;
  const bringsKey = provider.credentialHeaders.some((name) => hasHeader(headers, name));
  if (provider.apiKey !== undefined && mayUseStoredKey && !bringsKey) {
    headers.push(...provider.authorization(provider.apiKey));
  }
  return headers;
}

function hasHeader(headers: readonly string[], name: string): boolean {
  return headers.some((header, index) => index % 2 === 0 && header === name);
}

/** The headers by which the gateway tells what it did. */
function gatewayHeaders(exchange: Exchange, provider: string, log: LogEntry) {
  return {
    ...ownHeaders(exchange),
    'cf-aig-provider': provider,
    'cf-aig-step': '0',
    ...(log.isKept ? { 'cf-aig-log-id': log.id } : {}),
  };
}

async function answerLocally(
  { clock, upstreamIdleTimeoutMs }: GatewayServices,
  exchange: Exchange,
  provider: LocalProvider,
  route: Route,
  log: LogEntry,
): Promise<void> {
  const { request, response } = exchange;
  const [path = ''] = route.path.split('?', 1);
  const method = request.method ?? '';
  const answer = provider.respond({ method, path, body: route.body, nowMs: clock.now() });
  log.begin(answer.status, answer.contentType, clock.now());
  response.writeHead(answer.status, {
    ...gatewayHeaders(exchange, provider.name, log),
    'content-type': answer.contentType,
    ...(typeof answer.body === 'string'
      ? { 'content-length': Buffer.byteLength(answer.body) }
      : {}),
  });
  for (const chunk of typeof answer.body === 'string' ? [answer.body] : answer.body) {
    if (response.destroyed) break;
    if (!response.write(chunk)) await drained(response, upstreamIdleTimeoutMs);
  }
  log.end(answer.usage, clock.now(), response.destroyed ? CLIENT_GONE : undefined);
  response.end();
}

/** Waits until the client has taken what was written. One that takes nothing for too long is cut. */
async function drained(response: ServerResponse, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cut = setTimeout(() => response.destroy(), timeoutMs);
  response.once('drain', resolve);
  response.once('close', resolve);
  await promise;
  clearTimeout(cut);
  response.off('drain', resolve);
  response.off('close', resolve);
}

/** undici gives a header that came twice as a list, whatever its type says. */
function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function definitionOf(error: Error): ErrorDefinition {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (TIMEOUT_CODES.has(code)) return gatewayErrors.upstreamTimedOut;
  // A header or a path that no HTTP request can have: it was not sent.
  if (code === 'UND_ERR_INVALID_ARG') return httpErrors.malformedRequest;
  return gatewayErrors.upstreamFailed;
}

/** One call of a provider: passes its answer to the client chunk by chunk as it comes. */
class UpstreamCall implements Dispatcher.DispatchHandler {
  readonly #services: GatewayServices;
  readonly #exchange: Exchange;
  readonly #provider: UpstreamProvider;
  readonly #log: LogEntry;
  #usage: UsageReader = createUsageReader(undefined);
  #controller: Dispatcher.DispatchController | undefined;
  #isEventStream = false;
  #isClientGone = false;

  constructor(
    services: GatewayServices,
    exchange: Exchange,
    provider: UpstreamProvider,
    log: LogEntry,
  ) {
    this.#services = services;
    this.#exchange = exchange;
    this.#provider = provider;
    this.#log = log;
    // Fires before the answer has begun, in mid-stream and after its end alike.
    exchange.response.once('close', () => {
      if (exchange.response.writableFinished) return;
      this.#isClientGone = true;
      this.#controller?.abort(new Error('the client is gone'));
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isClientGone) controller.abort(new Error('the client is gone'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 103 and the like announce an answer, they are none.
    if (status < 200) return;
    const { response } = this.#exchange;
    const contentType = firstOf(headers['content-type']);
    this.#isEventStream = contentType?.startsWith('text/event-stream') === true;
    this.#usage = createUsageReader(contentType);
    this.#log.begin(status, contentType, this.#services.clock.now());
    const passed = downstreamHeaders(headers);
    // A stream that breaks off ends with an event of ours: its length cannot be promised.
    if (this.#isEventStream) delete passed['content-length'];
    response.writeHead(status, {
      ...passed,
      ...gatewayHeaders(this.#exchange, this.#provider.name, this.#log),
    });
    // A stream may begin with silence; any other answer sends its head along with its body.
    if (this.#isEventStream) response.flushHeaders();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this.#exchange;
    this.#usage.feed(chunk);
    if (response.write(chunk) || response.destroyed) return;
    // A slow client slows the provider down instead of filling our memory.
    controller.pause();
    void drained(response, this.#services.upstreamIdleTimeoutMs).then(() => controller.resume());
  }

  onResponseEnd(): void {
    this.#end();
    this.#exchange.response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { response, log } = this.#exchange;
    if (this.#isClientGone) return this.#end(CLIENT_GONE);
    log.warn({ err: error, provider: this.#provider.name }, 'the provider failed');
    const definition = definitionOf(error);
    this.#end(definition.status);
    if (!response.headersSent) return refuse(this.#exchange, definition);
    // The status is out: an event stream can still say what happened, anything else is cut.
    if (!this.#isEventStream) return void response.destroy();
    response.end(`\n\ndata: ${JSON.stringify({ error: openAiError(definition) })}\n\n`);
  }

  #end(failure?: number): void {
    this.#log.end(this.#usage.read(), this.#services.clock.now(), failure);
  }
}
