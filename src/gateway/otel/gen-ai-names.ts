/** How the conventions for generative AI call the providers that they know. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'aws-bedrock': 'aws.bedrock',
  'azure-openai': 'azure.ai.openai',
  'google-ai-studio': 'gcp.gemini',
  'google-vertex-ai': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/**
 * `gen_ai.provider.name`.
 * @param provider as it names itself: `openai`, `custom-mine`
 */
export function providerNameOf(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

/** By the end of the path, the more special ones first. */
const OPERATIONS: readonly (readonly [path: RegExp, operation: string])[] = [
  [/(?:count_?tokens|compute_?tokens)$/i, 'count_tokens'],
  [/(?:chat\/completions|responses|messages|converse(?:-stream)?|\/chat|^chat)$/i, 'chat'],
  [/(?:completions|\/complete)$/i, 'text_completion'],
  [/:(?:stream)?generateContent$/i, 'generate_content'],
  [/(?:embed(?:dings?)?|embedContents?)$/i, 'embeddings'],
];

const OTHER_OPERATION = 'request';

/**
 * `gen_ai.operation.name`: one of those that the conventions know, `count_tokens`, or `request` for
 * anything else that a provider can be asked. What it may be is bounded: it becomes part of names.
 * @param path below the provider, without the query
 */
export function operationNameOf(path: string): string {
  return OPERATIONS.find(([pattern]) => pattern.test(path))?.[1] ?? OTHER_OPERATION;
}
