import { GATEWAY_HEADER } from '../../../lib/gateway-headers.ts';
import { apiCommand } from '../../../lib/shell-command.ts';
import type { ChatMessage } from './conversation.ts';
import { labels } from './labels.ts';

/** How the next question is asked, as it is typed. */
export interface RequestDraft {
  model: string;
  system: string;
  temperature: string;
  maxTokens: string;
  isStreaming: boolean;
  /** Seconds. */
  cacheTtl: string;
  skipsCache: boolean;
  /** JSON. */
  metadata: string;
}

/** Built in: it repeats what it hears, and needs no key. */
export const LOCAL_MODEL = 'local/echo';

/** What the form begins with. */
export const EMPTY_DRAFT: RequestDraft = {
  model: LOCAL_MODEL,
  system: '',
  temperature: '',
  maxTokens: '',
  isStreaming: true,
  cacheTtl: '',
  skipsCache: false,
  metadata: '',
};

const MAX_MODEL_LENGTH = 256;
const MAX_TEMPERATURE = 2;
const MAX_TOKENS = 1_000_000;
const MAX_CACHE_TTL_SECONDS = 2_592_000;
const MAX_METADATA_LENGTH = 8_192;
const MAX_METADATA_ENTRIES = 5;

/** Faults of what is typed, by field. */
export type DraftFaults = Partial<Record<keyof RequestDraft, string>>;

/** What keeps the draft from being sent. */
export function faultsOf(draft: RequestDraft): DraftFaults {
  const found: [keyof RequestDraft, string | undefined][] = [
    ['model', modelFault(draft.model.trim())],
    ['temperature', temperatureFault(draft.temperature.trim())],
    ['maxTokens', wholeFault(draft.maxTokens.trim(), 1, MAX_TOKENS)],
    ['cacheTtl', wholeFault(draft.cacheTtl.trim(), 0, MAX_CACHE_TTL_SECONDS)],
    ['metadata', metadataFault(draft.metadata.trim())],
  ];
  return Object.fromEntries(found.filter(([, fault]) => fault !== undefined));
}

function modelFault(model: string): string | undefined {
  if (model === '') return labels.chooseAModel;
  return model.length > MAX_MODEL_LENGTH ? labels.modelNamesCant : undefined;
}

function temperatureFault(text: string): string | undefined {
  if (text === '') return undefined;
  const isFit = /^\d(?:\.\d+)?$/.test(text) && Number(text) <= MAX_TEMPERATURE;
  return isFit ? undefined : labels.temperatureRange;
}

const whole = new Intl.NumberFormat('en');

function wholeFault(text: string, least: number, most: number): string | undefined {
  if (text === '') return undefined;
  const isFit = /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
  return isFit ? undefined : labels.enterAWholeNumber(least, whole.format(most));
}

function metadataFault(text: string): string | undefined {
  if (text === '') return undefined;
  if (asciiJson(text).length > MAX_METADATA_LENGTH) return labels.theTextIsTooLong;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return labels.enterValidJson;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return labels.enterAJsonObjectSuch;
  }
  const values: unknown[] = Object.values(parsed);
  if (values.length > MAX_METADATA_ENTRIES) return labels.enterAtMostFiveEntries;
  const isFlat = values.every((value) => typeof value !== 'object' || value === null);
  return isFlat ? undefined : labels.valuesMustBeStringsNumbers;
}

/** JSON on one line and in ASCII alone, as a header has to be; a text that is none stays as it is. */
function asciiJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text)).replaceAll(
      /[^ -~]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  } catch {
    return text;
  }
}

/** The headers by which a request says what the gateway is to do with it. */
export function headersOf({
  cacheTtl,
  skipsCache,
  metadata,
}: RequestDraft): Record<string, string> {
  return {
    ...(cacheTtl.trim() !== '' && { 'cf-aig-cache-ttl': cacheTtl.trim() }),
    ...(skipsCache && { 'cf-aig-skip-cache': 'true' }),
    ...(metadata.trim() !== '' && { 'cf-aig-metadata': asciiJson(metadata.trim()) }),
  };
}

/** Whose newer models know only the newer name of the limit; all others know the older one. */
const NAMES_COMPLETION_TOKENS = /^(?:openai|azure-openai)\//;
/** Who refuses to be asked for the tokens of a stream, and tells them anyway. */
const REFUSES_STREAM_OPTIONS = /^(?:cerebras|cohere)\//;

/** The body of a chat completion. */
export function bodyOf(draft: RequestDraft, messages: readonly ChatMessage[]): object {
  const model = draft.model.trim();
  const [temperature, maxTokens] = [draft.temperature.trim(), draft.maxTokens.trim()];
  const limit = NAMES_COMPLETION_TOKENS.test(model) ? 'max_completion_tokens' : 'max_tokens';
  const asksUsage = draft.isStreaming && !REFUSES_STREAM_OPTIONS.test(model);
  return {
    model,
    messages,
    ...(temperature !== '' && { temperature: Number(temperature) }),
    ...(maxTokens !== '' && { [limit]: Number(maxTokens) }),
    ...(draft.isStreaming && { stream: true }),
    ...(asksUsage && { stream_options: { include_usage: true } }),
  };
}

interface CommandOptions {
  /** The address of the account's REST API of AI. */
  rest: string;
  gatewayId: string;
  /** Whether the gateway demands a token. */
  needsToken: boolean;
  messages: readonly ChatMessage[];
}

const DEFAULT_GATEWAY = 'default';

/** The command that asks the same. */
export function commandOf(
  draft: RequestDraft,
  { rest, gatewayId, needsToken, messages }: CommandOptions,
): string {
  return apiCommand({
    url: `${rest}/v1/chat/completions`,
    headers: {
      ...(gatewayId !== DEFAULT_GATEWAY && { [GATEWAY_HEADER]: gatewayId }),
      ...headersOf(draft),
    },
    body: JSON.stringify(bodyOf(draft, messages), undefined, 2),
    isAnonymous: !needsToken,
    isStreaming: draft.isStreaming,
  });
}
