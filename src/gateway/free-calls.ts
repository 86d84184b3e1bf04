/** Methods that read or delete what a provider keeps. */
const FREE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/**
 * Paths to which providers take a POST without billing it by itself: they count tokens, keep files, or
 * cancel something. What is not here may cost something.
 */
const FREE_PATHS: readonly RegExp[] = [
  // OpenAI and those that follow its API.
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

/** Whether no provider bills a call of this method and path, which lies below the provider. */
export function isFreeCall(method: string, path: string): boolean {
  if (FREE_METHODS.has(method)) return true;
  return path.length <= MAX_PATH_LENGTH && FREE_PATHS.some((pattern) => pattern.test(path));
}

/**
 * Paths of calls that a provider works on, and bills, after its answer: batches, jobs, and credentials with
 * which a client calls the provider by itself.
 */
const DEFERRED_PATHS: readonly RegExp[] = [
  // OpenAI and those that follow its API.
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

/** Whether a provider bills a call of this method and path only after its answer. */
export function isDeferredCall(method: string, path: string): boolean {
  if (FREE_METHODS.has(method)) return false;
  // No API has one as long.
  if (path.length > MAX_PATH_LENGTH) return true;
  const decoded = decode(path);
  const trimmed = decoded.endsWith('/') ? decoded.slice(0, -1) : decoded;
  return DEFERRED_PATHS.some((pattern) => pattern.test(trimmed));
}

/** Some providers decode the whole path. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
