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
  /^(?:openai\/)?(?:v1\/)?(?:batches|containers|conversations|uploads)(?:\/|$)/,
  // Anthropic.
  /(?:^|\/)messages\/(?:count_tokens|batches(?:\/[\w-]{1,128}\/cancel)?)$/,
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
