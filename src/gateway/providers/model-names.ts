import { type ModelReference, splitModelName } from '../../lib/model-name.ts';
import type { Operation } from './provider.ts';

const BARE_OPENAI: BareNames = { pattern: /^gpt-[^/]+$/, provider: 'openai' };
const BARE_ANTHROPIC: BareNames = { pattern: /^claude-[^/]+$/, provider: 'anthropic' };

interface BareNames {
  pattern: RegExp;
  provider: string;
}

/** Names that are unambiguous without a provider, because the operation belongs to that provider's API. */
const BARE_NAMES: Readonly<Record<Operation, BareNames>> = {
  'chat/completions': BARE_OPENAI,
  responses: BARE_OPENAI,
  embeddings: BARE_OPENAI,
  messages: BARE_ANTHROPIC,
  'messages/count_tokens': BARE_ANTHROPIC,
};

/**
 * Resolves the model name of a request: an alias of the gateway, then `provider/model`, then a bare name of the
 * operation's own API, such as `claude-*` on `/messages`.
 * @param aliases `provider/model` by alias
 * @returns undefined if the name has none of these forms
 */
export function resolveModelName(
  name: string,
  operation: Operation,
  aliases: ReadonlyMap<string, string>,
): ModelReference | undefined {
  const target = aliases.get(name);
  if (target !== undefined) return splitModelName(target);
  const bare = BARE_NAMES[operation];
  return bare.pattern.test(name) ? { provider: bare.provider, model: name } : splitModelName(name);
}
