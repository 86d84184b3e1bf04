import { textIn, type JsonObject } from '../../json/json-fields.ts';

/**
 * Moves instructions that follow the beginning of a conversation into the messages of the user. Claude Code and Codex
 * send some, and the prompt templates of many models take instructions at the beginning only.
 * @param messages of a chat completion
 */
export function withoutLateInstructions(messages: readonly JsonObject[]): JsonObject[] {
  const moved: JsonObject[] = [];
  for (const message of messages) {
    const last = moved.at(-1);
    if (message.role !== 'system' || last === undefined || last.role === 'system') {
      moved.push(message);
      continue;
    }
    const text = `<system-reminder>\n${textIn(message.content) ?? ''}\n</system-reminder>`;
    if (last.role === 'user')
      moved.splice(-1, 1, { ...last, content: appended(last.content, text) });
    else moved.push({ role: 'user', content: text });
  }
  return moved;
}

function appended(content: unknown, text: string): unknown {
  return Array.isArray(content)
    ? [...(content as unknown[]), { type: 'text', text }]
    : `${textIn(content) ?? ''}\n\n${text}`;
}
