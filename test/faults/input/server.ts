const PROVIDERS = [
  'OPENAI',
  'ANTHROPIC',
  'GOOGLE_AI_STUDIO',
  'GOOGLE_VERTEX_AI',
  'AZURE_OPENAI',
  'AWS_BEDROCK',
  'MISTRAL',
  'GROQ',
  'DEEPSEEK',
  'XAI',
  'COHERE',
  'OPENROUTER',
  'PERPLEXITY',
  'CEREBRAS',
  'TOGETHER',
  'FIREWORKS',
  'HUGGINGFACE',
  'REPLICATE',
  'WORKERS_AI',
  'OLLAMA',
  'VLLM',
];

/** Settings of a server that is asked odd things: nothing leaves the machine. */
export function inputSettings(upstreamUrl: string): Record<string, string> {
  return {
    TRUST_PROXY: '127.0.0.1',
    DNS_SERVERS: '127.0.0.1:9',
    // Sent in millions: only trouble is of interest.
    LOG_LEVEL: 'warn',
    UPSTREAM_HEADERS_TIMEOUT_MS: '5000',
    UPSTREAM_IDLE_TIMEOUT_MS: '5000',
    ...Object.fromEntries(PROVIDERS.map((name) => [`PROVIDER_${name}_BASE_URL`, upstreamUrl])),
  };
}
