import { refuseChoiceWithoutTools } from '../chat-parameters.ts';
import {
  isObject,
  objectsIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { UntranslatableError } from '../translator.ts';
import type { ModelTraits } from './claude-models.ts';
import { withCacheControl } from './content-blocks.ts';
import { structuredSchema } from './structured-schema.ts';

/**
 * Returns `tools` and `tool_choice` for `tools`, `tool_choice` and `parallel_tool_calls` of a chat completion.
 * @throws UntranslatableError naming the member
 */
export function toolFields(body: JsonObject, traits: ModelTraits): JsonObject {
  const allowed = allowedTools(body.tool_choice);
  const tools = definedTools(body.tools, traits).filter(
    ({ name }) => allowed === undefined || allowed.has(name),
  );
  if (tools.length === 0) {
    refuseChoiceWithoutTools(body.tool_choice);
    return {};
  }
  return withoutUndefined({ tools, tool_choice: toolChoice(body) });
}

function definedTools(tools: unknown, traits: ModelTraits): JsonObject[] {
  return objectsIn(tools).map((tool, index) => definedTool(tool, `tools[${index}]`, traits));
}

function definedTool(tool: JsonObject, place: string, traits: ModelTraits): JsonObject {
  if (!isObject(tool.function)) {
    throw new UntranslatableError(
      `${place}: Anthropic models support only tools of the type function`,
    );
  }
  const { name, description, parameters, strict } = tool.function;
  const isStrict = strict === true && traits.hasStructuredOutput;
  const schema = { type: 'object', ...(isObject(parameters) ? parameters : { properties: {} }) };
  const translated = withoutUndefined({
    name,
    description: textIn(description),
    input_schema: isStrict ? structuredSchema(schema) : schema,
    strict: isStrict ? true : undefined,
  });
  return withCacheControl(translated, { ...tool.function, ...tool });
}

/** Returns the names of the tools that `tool_choice` allows; undefined: all. */
function allowedTools(choice: unknown): Set<unknown> | undefined {
  if (!isObject(choice) || choice.type !== 'allowed_tools') return undefined;
  const { allowed_tools: allowed } = choice;
  const tools = isObject(allowed) ? objectsIn(allowed.tools) : [];
  return new Set(tools.map((tool) => (isObject(tool.function) ? tool.function.name : undefined)));
}

function toolChoice(body: JsonObject): JsonObject | undefined {
  const choice = chosen(body.tool_choice);
  const isOneAtATime = body.parallel_tool_calls === false && choice?.type !== 'none';
  if (!isOneAtATime) return choice;
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true };
}

function chosen(choice: unknown): JsonObject | undefined {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none') return { type: choice };
  if (choice === 'required') return { type: 'any' };
  if (isObject(choice)) {
    if (choice.type === 'allowed_tools' && isObject(choice.allowed_tools)) {
      return chosen(choice.allowed_tools.mode);
    }
    if (isObject(choice.function)) return { type: 'tool', name: choice.function.name };
  }
  throw new UntranslatableError(
    'tool_choice: Anthropic models support auto, none, required and a function',
  );
}
