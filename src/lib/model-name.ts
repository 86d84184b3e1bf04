/** A model and the provider that serves it. */
export interface ModelReference {
  /** A provider's name, such as `openai` or `custom-{slug}`; it may be unknown. */
  provider: string;
  /** The name at the provider. */
  model: string;
}

/** `@cf/author/model` has no prefix. */
const WORKERS_AI_MODEL = /^@(?:cf|hf)\//;

/** Splits `provider/model`; undefined if a part is missing. */
export function splitModelName(name: string): ModelReference | undefined {
  if (WORKERS_AI_MODEL.test(name)) return { provider: 'workers-ai', model: name };
  const slash = name.indexOf('/');
  const model = name.slice(slash + 1);
  return slash < 1 || model === '' ? undefined : { provider: name.slice(0, slash), model };
}
