import { memoize } from '../../lib/memoize.ts';

/** Methods that read or delete stored objects of a provider. */
const FREE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/**
 * Paths of POST requests that providers do not bill: they count tokens, store files or cancel work. Any
 * other path may cost something.
 */
const FREE_PATHS: readonly RegExp[] = [
  // OpenAI and compatible providers.
  /(?:^|\/)files$/,
  /(?:^|\/)responses\/(?:input_tokens|[\w-]{1,128}\/cancel)$/,
  /(?:^|\/)batches\/[\w-]{1,128}\/cancel$/,
  /^(?:openai\/)?(?:v1\/)?(?:containers|conversations|uploads)(?:\/|$)/,
  // Anthropic.
  /(?:^|\/)messages\/count_tokens$/,
  // Google.
  /:(?:countTokens|computeTokens)$/,
  /^upload\/v1(?:beta)?\/files$/,
  // Amazon Bedrock.
  /\/count-tokens$/,
  // Cohere.
  /(?:^|\/)(?:de)?tokenize$/,
];
const MAX_PATH_LENGTH = 512;
// Most calls have one of few paths.
const MAX_KNOWN_PATHS = 1_000;

const isFreePath = memoize(MAX_KNOWN_PATHS, (path) =>
  FREE_PATHS.some((pattern) => pattern.test(path)),
);

/**
 * Recognizes a call that no provider bills.
 * @param path below the provider, without the query
 */
export function isFreeCall(method: string, path: string): boolean {
  if (FREE_METHODS.has(method)) return true;
  return path.length <= MAX_PATH_LENGTH && isFreePath(path);
}

/**
 * Paths of calls that a provider processes and bills after its response: batches, jobs, and the issuing of
 * credentials with which a client calls the provider directly.
 */
const DEFERRED_PATHS: readonly RegExp[] = [
  // OpenAI and compatible providers.
  /(?:^|\/)(?:batches|batch\/jobs|fine-tunes|videos)$/,
  /(?:^|\/)fine_tuning\/jobs$/,
  /(?:^|\/)(?:threads\/)?runs$/,
  /(?:^|\/)realtime\/(?:sessions|client_secrets|transcription_sessions|calls)$/,
  // Google.
  /:(?:batchGenerateContent|asyncBatchEmbedContent|predictLongRunning)$/,
  /(?:^|\/)(?:batchPredictionJobs|tunedModels|tuningJobs)$/,
  // Amazon Bedrock.
  /(?:^|\/)(?:model-invocation-job|async-invoke|model-customization-jobs)$/,
  // Cohere.
  /(?:^|\/)(?:embed-jobs|finetuned-models)$/,
];

const isDeferredPath = memoize(MAX_KNOWN_PATHS, (path) => {
  const decoded = decodePath(path);
  const trimmed = decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
  return DEFERRED_PATHS.some((pattern) => pattern.test(trimmed));
});

/**
 * Recognizes a call that a provider bills only after its response.
 * @param path below the provider, without the query
 */
export function isDeferredCall(method: string, path: string): boolean {
  if (FREE_METHODS.has(method)) return false;
  // No known API has such a long path.
  return path.length > MAX_PATH_LENGTH || isDeferredPath(path);
}

/** Decodes a path, as some providers do; a path that cannot be decoded stays as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
