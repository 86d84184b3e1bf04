import { isObject, objectIn, textIn, type JsonObject } from '../../json/json-fields.ts';

// Results of a server tool may contain whole pages.
const MAX_TEXT_CHARACTERS = 100_000;

/** Members of results that another model can read. Others are encrypted, or ids. */
const READABLE = ['title', 'url', 'text', 'stdout', 'stderr', 'error_code', 'data'] as const;
/** Members that contain further results. */
const NESTED = ['content', 'source'] as const;

/**
 * A content block that chat completions do not have, as a text: the call of a server tool or its result, a summary, a
 * reference to a tool or a file. A conversation that contains one can so continue with another model.
 */
export function textOfBlock(block: JsonObject): string {
  const name = textIn(block.name) ?? '';
  switch (block.type) {
    case 'tool_reference':
      return `Tool available: ${textIn(block.tool_name) ?? ''}`;
    case 'server_tool_use':
    case 'mcp_tool_use':
      return bounded(`Tool call: ${name} ${JSON.stringify(block.input ?? {})}`);
    case 'compaction':
      return textIn(block.content) ?? textsIn(block.content).join('\n');
    case 'container_upload':
      return `File: ${textIn(block.file_id) ?? ''}`;
    case 'image':
      return `Image: ${sourceName(block)}`;
    case 'document':
      return `Document: ${sourceName(block)}`;
    default:
      return bounded(
        `${(textIn(block.type) ?? 'content').replaceAll('_', ' ')}: ${textsIn(block).join('\n')}`,
      );
  }
}

function sourceName({ title, source }: JsonObject): string {
  const { url, file_id: fileId } = objectIn(source);
  return [title, url, fileId].filter((one) => typeof one === 'string').join(' ');
}

/** The loop avoids recursion, so deep nesting cannot exhaust the stack. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  let characters = 0;
  const left = [value];
  while (left.length > 0 && characters < MAX_TEXT_CHARACTERS) {
    const one = left.pop();
    if (typeof one === 'string') {
      texts.push(one);
      characters += one.length;
      continue;
    }
    const inner: unknown[] = Array.isArray(one)
      ? one
      : isObject(one)
        ? [...READABLE.map((key) => textIn(one[key])), ...NESTED.map((key) => one[key])]
        : [];
    left.push(...inner.filter((each) => each !== undefined).toReversed());
  }
  return texts;
}

function bounded(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}
