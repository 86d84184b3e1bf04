import {
  type ParameterRule,
  type ParameterTable,
  expressed,
  hint,
  isEmptyList,
  never,
  only,
  parameterTable,
  refused,
  types,
} from '../parameters.ts';

const PARAMETERS: Readonly<Record<string, ParameterRule>> = {
  model: expressed(types.any),
  messages: expressed(types.any),
  max_tokens: expressed(types.integer),
  output_config: expressed(types.object),
  output_format: expressed(types.object),
  stop_sequences: expressed(types.texts),
  stream: expressed(types.boolean),
  system: expressed(types.textOrObjects),
  temperature: expressed(types.number),
  tool_choice: expressed(types.object),
  tools: expressed(types.objects),
  top_p: expressed(types.number),

  anthropic_beta: hint(),
  anthropic_version: hint(),
  betas: hint(),
  billing_policy: hint(),
  cache_control: hint(),
  // Without these two, the model reads the whole context.
  compaction: hint(),
  context_management: hint(),
  diagnostics: hint(),
  fallback_credit_token: hint(),
  fallbacks: hint(),
  metadata: hint(),
  service_tier: hint(),
  speed: hint(),
  thinking: hint(types.object),
  user_profile_id: hint(),
  workspace_id: hint(),

  container: refused(never),
  // The client relies on the region that processes the request.
  inference_geo: refused(only('global')),
  mcp_servers: refused(isEmptyList),
  top_k: refused(isUnlimited),
};

/** Some clients send these values for "no limit". */
function isUnlimited(topK: unknown): boolean {
  return topK === 0 || topK === -1;
}

/** Anthropic Messages in the translation to chat completions. */
export const toChatParameters = parameterTable(PARAMETERS);

/** Anthropic Messages in the translation to chat completions that are extended with `top_k`. */
export const toExtendedChatParameters: ParameterTable = parameterTable({
  ...PARAMETERS,
  top_k: expressed(types.integer),
});

/** `output_config` */
export const outputParameters = parameterTable({
  effort: hint(types.text),
  format: expressed(types.object),
  task_budget: hint(),
});

/** `thinking` */
export const thinkingParameters = parameterTable(
  { type: hint(types.text), budget_tokens: hint(types.integer), display: hint() },
  'expressed',
);

/** `tool_choice` */
export const choiceParameters = parameterTable({
  type: expressed(types.text),
  name: expressed(types.text),
  disable_parallel_tool_use: expressed(types.boolean),
});
