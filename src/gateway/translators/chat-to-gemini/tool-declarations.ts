import { refuseChoiceWithoutTools } from '../chat-parameters.ts';
import { UntranslatableError } from '../translator.ts';
import { isObject, objectIn, objectsIn, textIn, type JsonObject } from '../../json/json-fields.ts';

/** Returns the functions that the model may call, and if it must call one. */
export function declareTools(body: JsonObject): JsonObject {
  const functionDeclarations = objectsIn(body.tools).map((tool, index) =>
    declareFunction(tool, `tools[${index}]`),
  );
  if (functionDeclarations.length === 0) {
    refuseChoiceWithoutTools(body.tool_choice);
    return {};
  }
  const config = callingConfig(body.tool_choice);
  return {
    tools: [{ functionDeclarations }],
    ...(config === undefined ? {} : { toolConfig: { functionCallingConfig: config } }),
  };
}

function declareFunction(tool: JsonObject, field: string): JsonObject {
  const { function: declared } = tool;
  if (tool.type !== 'function' || !isObject(declared)) {
    throw new UntranslatableError(`${field}.type: Gemini supports only functions`);
  }
  const { name, description, parameters } = declared;
  if (typeof name !== 'string') {
    throw new UntranslatableError(`${field}.function.name: must be a string`);
  }
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    // `parameters` supports only a part of JSON Schema.
    ...(isObject(parameters) ? { parametersJsonSchema: parameters } : {}),
  };
}

function callingConfig(choice: unknown): JsonObject | undefined {
  switch (choice) {
    case undefined:
    case null:
      return undefined;
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
  }
  const { type, function: chosen, allowed_tools: allowed } = objectIn(choice);
  if (type === 'function') {
    return { mode: 'ANY', allowedFunctionNames: [nameOf(chosen, 'tool_choice.function')] };
  }
  if (type !== 'allowed_tools') {
    throw new UntranslatableError('tool_choice: Gemini supports only functions');
  }
  const { mode, tools } = objectIn(allowed);
  const allowedFunctionNames = objectsIn(tools).map((tool, index) =>
    nameOf(tool.function, `tool_choice.allowed_tools.tools[${index}].function`),
  );
  // AUTO accepts no names; VALIDATED does not force a call either.
  return { mode: mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames };
}

function nameOf(value: unknown, field: string): string {
  const name = textIn(objectIn(value).name);
  if (name === undefined) throw new UntranslatableError(`${field}.name: must be a string`);
  return name;
}
