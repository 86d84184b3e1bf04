/** Names of providers in the conventions for generative AI. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'aws-bedrock': 'aws.bedrock',
  'azure-openai': 'azure.ai.openai',
  'google-ai-studio': 'gcp.gemini',
  'google-vertex-ai': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/**
 * Returns `gen_ai.provider.name`.
 * @param provider name in paths and models, such as `openai` or `custom-mine`
 */
export function providerNameOf(provider: string): string {
  return PROVIDERS[provider] ?? provider;
}

/** Operations by the end of the path, the more specific ones first. */
const OPERATIONS: readonly (readonly [path: RegExp, operation: string])[] = [
  [/(?:count_?tokens|compute_?tokens)$/i, 'count_tokens'],
  [/(?:chat\/completions|responses|messages|converse(?:-stream)?|\/chat|^chat)$/i, 'chat'],
  [/(?:completions|\/complete)$/i, 'text_completion'],
  [/:(?:stream)?generateContent$/i, 'generate_content'],
  [/(?:embed(?:dings?)?|embedContents?)$/i, 'embeddings'],
];

const OTHER_OPERATION = 'request';

/**
 * Returns `gen_ai.operation.name`: an operation of the conventions, `count_tokens`, or `request` for any other request. The
 * number of values is limited, because they become labels.
 * @param path below the provider, without the query
 */
export function operationNameOf(path: string): string {
  return OPERATIONS.find(([pattern]) => pattern.test(path))?.[1] ?? OTHER_OPERATION;
}
