import { type JsonObject, isObject, memberOf, parseJson, textOf } from './json-value.ts';
import { TOKEN_VARIABLE, shellWord } from './shell-command.ts';

/** The variable that commands take a provider's key from. */
export const PROVIDER_KEY_VARIABLE = 'PROVIDER_KEY';

/** What of a log is needed to send its request again. */
export interface SentRequest {
  accountId: string;
  gatewayId: string;
  log: {
    provider: string;
    model: string;
    path: string;
    request_type: string;
    request_content_type?: string;
    response_content_type?: string;
    model_type?: string;
    request_headers: JsonObject | null;
  };
  body: string;
  /** The answer, as far as it is known: it tells which API the caller spoke. */
  answer: string;
}

/** Where the gateway is. */
export interface GatewayAddresses {
  /** Of the management API. */
  baseUrl: string;
  /** Of the gateway host. */
  gatewayUrl: string;
}

/** A command, and what whoever runs it should know. */
export interface GatewayCommand {
  command: string;
  /** The request brought a key of its own for the provider. */
  needsProviderKey: boolean;
  notes: string[];
}

const REDACTED = '[redacted]';
// Where the log cuts the values of headers.
const MAX_HEADER_LENGTH = 512;

/** The command that sends a logged request through the gateway once more. */
export function gatewayCommand(sent: SentRequest, addresses: GatewayAddresses): GatewayCommand {
  const { log, body } = sent;
  const headers = keptHeaders(log.request_headers);
  const isRest = log.request_type === 'rest' || log.request_type === 'run';
  const keyHeader = isRest ? undefined : providerKeyHeader(log.request_headers);
  const own = isRest ? 'Authorization' : 'cf-aig-authorization';
  const { url, notes } = targetOf(sent, addresses);
  const lines = [
    `curl -sS ${shellWord(url)}`,
    `-H "${own}: Bearer $${TOKEN_VARIABLE}"`,
    ...(keyHeader === undefined ? [] : [keyHeader]),
    ...headers.lines.map((line) => `-H ${shellWord(line)}`),
  ];
  return {
    command: withBody(lines.join(' \\\n  '), body, log.request_content_type),
    needsProviderKey: keyHeader !== undefined,
    notes: [...notes, ...headers.notes, ...(body.includes(REDACTED) ? [REDACTED_NOTE] : [])],
  };
}

const REDACTED_NOTE =
  'Logs contain no credentials. Replace [redacted] in the body with the credentials.';
const STEP_NOTE = 'This was one step of a universal request. The command sends only this step.';
const QUERY_NOTE = 'Logs contain no query string. Add parameters such as api-version.';

// One argument of a program may have 128 KiB on Linux; the rest is left for longer characters.
const MAX_ARGUMENT_LENGTH = 32 * 1024;

function withBody(command: string, body: string, contentType: string | undefined): string {
  if (body === '') return command;
  const type = `-H ${shellWord(`Content-Type: ${contentType ?? 'application/json'}`)}`;
  if (body.length <= MAX_ARGUMENT_LENGTH) {
    return `${command} \\\n  ${type} \\\n  --data-raw ${shellWord(body)}`;
  }
  let end = 'BODY';
  while (`\n${body}\n`.includes(`\n${end}\n`)) end += '_';
  return `${command} \\\n  ${type} \\\n  --data-binary @- <<'${end}'\n${body}\n${end}`;
}

interface Target {
  url: string;
  notes: string[];
}

function targetOf(
  { accountId, gatewayId, log, body, answer }: SentRequest,
  { baseUrl, gatewayUrl }: GatewayAddresses,
): Target {
  const rest = `${baseUrl}/accounts/${accountId}/ai`;
  const host = `${gatewayUrl}/v1/${accountId}/${gatewayId}`;
  const asked = parseJson(body);
  const operation = operationOf(log, asked, parseJson(answer), answer);
  switch (log.request_type) {
    case 'rest':
      return { url: `${rest}/v1/${operation}`, notes: [] };
    case 'run':
      return { url: `${rest}/run${runPath(log, asked)}`, notes: [] };
    case 'compat':
      return { url: `${host}/compat/${operation}`, notes: [] };
    case 'universal': {
      const isCompat = textOf(asked, 'model') === `${log.provider}/${log.model}`;
      const url = `${host}/${isCompat ? `compat/${operation}` : `${log.provider}/${withQuery(log)}`}`;
      return { url, notes: [STEP_NOTE] };
    }
    default: {
      const notes = NEEDS_QUERY.test(log.provider) ? [QUERY_NOTE] : [];
      return { url: `${host}/${log.provider}/${withQuery(log)}`, notes };
    }
  }
}

const NEEDS_QUERY = /^azure-/;

/** The log keeps no query; without this one Gemini answers with a list. */
function withQuery({ path, response_content_type: type }: SentRequest['log']): string {
  const isStream = path.endsWith(':streamGenerateContent') && isEventStream(type);
  return isStream ? `${path}?alt=sse` : path;
}

/** Whether an answer came as server-sent events. */
export function isEventStream(contentType: string | undefined): boolean {
  return contentType !== undefined && /^text\/event-stream\b/i.test(contentType);
}

/** The path names the model, unless the body does. */
function runPath({ provider, model }: SentRequest['log'], asked: unknown): string {
  if (textOf(asked, 'model') !== undefined) return '';
  const named = model.startsWith('@cf/') ? model : `${provider}/${model}`;
  return `/${named.split('/').map(segment).join('/')}`;
}

function segment(text: string): string {
  return encodeURIComponent(text).replaceAll('%40', '@').replaceAll('%3A', ':');
}

/** Which operation was asked for. The log has the path at the provider, which may speak another API. */
function operationOf(
  log: SentRequest['log'],
  asked: unknown,
  answered: unknown,
  answer: string,
): string {
  if (log.model_type === 'embeddings') return 'embeddings';
  if (log.path.endsWith('count_tokens')) return 'messages/count_tokens';
  if (!Array.isArray(memberOf(asked, 'messages'))) return 'responses';
  const type = textOf(answered, 'type');
  if (type === 'message' || type === 'error' || /^event: message_start$/m.test(answer)) {
    return 'messages';
  }
  const isChat = Array.isArray(memberOf(answered, 'choices')) || answer.startsWith('data:');
  const speaksMessages = memberOf(log.request_headers, 'anthropic-version') !== undefined;
  const hasSystem = memberOf(asked, 'system') !== undefined;
  return !isChat && (speaksMessages || hasSystem) ? 'messages' : 'chat/completions';
}

const PROVIDER_KEY_HEADERS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

/** Where the caller had the provider's own key, on the gateway host. */
function providerKeyHeader(headers: JsonObject | null): string | undefined {
  const name = PROVIDER_KEY_HEADERS.find((one) => memberOf(headers, one) !== undefined);
  if (name === undefined) return undefined;
  const scheme = name === 'authorization' ? 'Bearer ' : '';
  return `-H "${name}: ${scheme}$${PROVIDER_KEY_VARIABLE}"`;
}

const SENT_HEADERS = /^(?:cf-aig-|anthropic-|openai-)/;
// Written anew, or one that must not stand for two exchanges.
const LEFT_OUT: ReadonlySet<string> = new Set(['cf-aig-authorization', 'cf-aig-event-id']);

/** The headers that say something of the answer, with those values that are whole. */
function keptHeaders(headers: JsonObject | null): { lines: string[]; notes: string[] } {
  const wanted = Object.entries(isObject(headers) ? headers : {}).filter(
    ([name]) => SENT_HEADERS.test(name) && !LEFT_OUT.has(name),
  );
  const isWhole = ([, value]: [string, unknown]): boolean =>
    typeof value === 'string' && value.length < MAX_HEADER_LENGTH && !value.includes(REDACTED);
  const lines = wanted.filter(isWhole).map(([name, value]) => `${name}: ${String(value)}`);
  const missing = wanted.filter((header) => !isWhole(header)).map(([name]) => name);
  const notes =
    missing.length === 0
      ? []
      : [`Incomplete in the log and therefore omitted: ${missing.join(', ')}.`];
  return { lines, notes };
}
