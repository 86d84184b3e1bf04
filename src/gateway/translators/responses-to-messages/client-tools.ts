import {
  isObject,
  objectIn,
  objectsIn,
  textIn,
  withoutUndefined,
  type JsonObject,
} from '../../json/json-fields.ts';
import { UntranslatableError } from '../translator.ts';

/** Tools of the provider that can be omitted: their results are no part of the conversation. */
const DISPENSABLE = /^(?:web_search|image_generation|tool_search)/;

/** Joins the name of a namespace and of a tool in it. */
const NAMESPACE_SEPARATOR = '__';

/** A tool that the client runs. */
interface ClientTool {
  /** The name in a Messages request. */
  name: string;
  /** The name in the Responses API. */
  ownName: string;
  namespace: string | undefined;
  /** Takes one text instead of JSON. */
  isCustom: boolean;
  definition: JsonObject;
}

/** The tools of a request by their names in a Messages request. */
export type ClientTools = ReadonlyMap<string, ClientTool>;

/**
 * Returns the tools of a Responses request that the client runs.
 * @throws UntranslatableError for a tool that only the provider of the API has
 */
export function clientTools(tools: unknown): ClientTools {
  const all = objectsIn(tools).flatMap((tool, index) => readTool(tool, `tools[${index}]`));
  return new Map(all.map((tool) => [tool.name, tool]));
}

function readTool(tool: JsonObject, place: string, namespace?: string): ClientTool[] {
  const { type } = tool;
  const ownName = textIn(tool.name) ?? '';
  const name = namespace === undefined ? ownName : namespace + NAMESPACE_SEPARATOR + ownName;
  switch (type) {
    case 'function':
      return [{ name, ownName, namespace, isCustom: false, definition: functionTool(name, tool) }];
    case 'custom':
      return [{ name, ownName, namespace, isCustom: true, definition: customTool(name, tool) }];
    case 'namespace':
      return objectsIn(tool.tools).flatMap((one, index) =>
        readTool(one, `${place}.tools[${index}]`, ownName),
      );
    default:
      if (typeof type === 'string' && DISPENSABLE.test(type)) return [];
      throw new UntranslatableError(
        `${place}.type: the provider does not support ${JSON.stringify(type)}`,
      );
  }
}

function functionTool(name: string, tool: JsonObject): JsonObject {
  return withoutUndefined({
    name,
    description: textIn(tool.description),
    input_schema: isObject(tool.parameters) ? tool.parameters : { type: 'object', properties: {} },
    strict: tool.strict === true ? true : undefined,
  });
}

/** Returns a tool with a text argument as a function with one parameter. */
function customTool(name: string, tool: JsonObject): JsonObject {
  const { definition, syntax } = objectIn(tool.format);
  const grammar =
    typeof definition === 'string'
      ? [`The input follows this grammar (${textIn(syntax) ?? 'text'}):\n${definition}`]
      : [];
  return {
    name,
    description: [textIn(tool.description) ?? '', ...grammar].join('\n\n').trim(),
    input_schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The whole input of the tool' } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

/**
 * Returns `tools` and `tool_choice` of a Messages request.
 * @throws UntranslatableError for a choice among tools that do not exist
 */
export function messagesToolFields(body: JsonObject, tools: ClientTools): JsonObject {
  const { choice, names } = toolChoice(body.tool_choice, tools);
  const used = [...tools.values()].filter(({ name }) => names === undefined || names.has(name));
  if (used.length === 0) {
    if (choice.type === 'any' || choice.type === 'tool') {
      throw new UntranslatableError('tool_choice: the request has no tool that can be called');
    }
    return {};
  }
  const isSingle = body.parallel_tool_calls === false && choice.type !== 'none';
  return {
    tools: used.map(({ definition }) => definition),
    tool_choice: isSingle ? { ...choice, disable_parallel_tool_use: true } : choice,
  };
}

function toolChoice(
  choice: unknown,
  tools: ClientTools,
): { choice: JsonObject; names?: ReadonlySet<string> } {
  if (choice === undefined || choice === null || choice === 'auto') {
    return { choice: { type: 'auto' } };
  }
  if (choice === 'none') return { choice: { type: 'none' } };
  if (choice === 'required') return { choice: { type: 'any' } };
  const { type, name, mode, tools: allowed } = objectIn(choice);
  if (type === 'function' || type === 'custom') {
    return { choice: { type: 'tool', name: nameOf(name, tools) } };
  }
  if (type === 'allowed_tools') {
    const names = new Set(objectsIn(allowed).flatMap((one) => nameOf(one.name, tools) ?? []));
    return { choice: { type: mode === 'required' ? 'any' : 'auto' }, names };
  }
  throw new UntranslatableError('tool_choice must be auto, none, required, or name a function');
}

/** Returns the name of a tool in a Messages request. */
function nameOf(ownName: unknown, tools: ClientTools): string | undefined {
  return [...tools.values()].find((tool) => tool.ownName === ownName)?.name;
}

/** Returns the name of a called tool in a Messages request. */
export function calledName({ name, namespace }: JsonObject): string {
  const ownName = textIn(name) ?? '';
  return typeof namespace === 'string' ? namespace + NAMESPACE_SEPARATOR + ownName : ownName;
}
