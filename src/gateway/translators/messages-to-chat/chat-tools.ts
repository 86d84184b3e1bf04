import { refuseChoiceWithoutTools } from '../chat-parameters.ts';
import {
  isObject,
  objectsIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { shortToolName } from '../tool-names.ts';
import { UntranslatableError } from '../translator.ts';

/**
 * Returns `tools`, `tool_choice` and `parallel_tool_calls` for the tools of the Messages API.
 * @throws UntranslatableError for tools that run at the provider
 */
export function chatToolFields(body: JsonObject): JsonObject {
  const tools = objectsIn(body.tools).map((tool, index) => chatTool(tool, `tools[${index}]`));
  const choice = isObject(body.tool_choice) ? body.tool_choice : undefined;
  if (tools.length === 0) {
    if (choice !== undefined) refuseChoiceWithoutTools(chatToolChoice(choice));
    return {};
  }
  return withoutUndefined({
    tools,
    tool_choice: choice === undefined ? undefined : chatToolChoice(choice),
    parallel_tool_calls: choice?.disable_parallel_tool_use === true ? false : undefined,
  });
}

function chatTool(tool: JsonObject, place: string): JsonObject {
  const { type, name, description, input_schema: schema, strict } = tool;
  if (type !== undefined && type !== null && type !== 'custom') {
    throw new UntranslatableError(
      `${place}.type: chat completions do not support ${JSON.stringify(type)}`,
    );
  }
  const isStrict = strict === true && isObject(schema) && isStrictSchema(schema);
  return {
    type: 'function',
    function: withoutUndefined({
      name: shortToolName(name),
      description: textIn(description),
      parameters: schema,
      strict: isStrict ? true : undefined,
    }),
  };
}

function chatToolChoice(choice: JsonObject): unknown {
  switch (choice.type) {
    case 'auto':
    case 'none':
      return choice.type;
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: shortToolName(choice.name) } };
    default:
      throw new UntranslatableError('tool_choice.type must be auto, any, tool or none');
  }
}

/**
 * Returns true for a schema that OpenAI accepts for strict output: every object is closed, and all its
 * properties are required. Anthropic requires only the first.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isObject(schema)) return true;
  const { properties, required } = schema;
  if (isObject(properties)) {
    const names = new Set<unknown>(Array.isArray(required) ? required : []);
    if (schema.additionalProperties !== false) return false;
    if (!Object.keys(properties).every((name) => names.has(name))) return false;
  } else if (schema.type === 'object') {
    return false;
  }
  const named = [properties, schema.$defs, schema.definitions].filter(isObject);
  return (
    named.every((schemas) => Object.values(schemas).every(isStrictSchema)) &&
    [schema.items, schema.anyOf, schema.allOf].every(isStrictSchema)
  );
}
