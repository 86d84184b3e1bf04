import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';
import { type ErrorEntry, errorEntry } from '../../http/errors.ts';
import { namedRecord } from '../../http/named-record.ts';
import { splitModelName } from '../../lib/model-name.ts';

// The aliases are in memory with their gateway.
export const MAX_MODEL_ALIASES = 100;
const MAX_ALIAS_LENGTH = 128;
const MAX_TARGET_LENGTH = 256;
const CUSTOM_PROVIDER = /^custom-[a-z0-9-]+$/;

/** Model names of a gateway: alias → `provider/model`. */
export type ModelAliases = Readonly<Record<string, string>>;

/** The aliases as requests send them and as responses show them. */
export const ModelAliasesSchema = namedRecord(
  // Printable ASCII without the slash that separates provider and model.
  { maxLength: MAX_ALIAS_LENGTH, pattern: '^(?!__proto__$)[!-.0-~]+$' },
  Type.String({ maxLength: MAX_TARGET_LENGTH, pattern: '^[!-~]+$' }),
  {
    maxProperties: MAX_MODEL_ALIASES,
    description:
      'Model names of this gateway: alias → `provider/model`. An alias takes precedence over a model of the same name and must not contain a slash',
  },
);

/**
 * Finds aliases without a provider or a model. A custom provider may be created later.
 * @param providers the built-in ones by name
 */
export function findModelAliasFaults(
  aliases: ModelAliases,
  providers: ReadonlyMap<string, unknown>,
): ErrorEntry[] {
  return Object.entries(aliases).flatMap(([alias, target]) => {
    const provider = splitModelName(target)?.provider;
    if (provider === undefined) return [fault(alias, `${target} must be provider/model`)];
    const isKnown = providers.has(provider) || CUSTOM_PROVIDER.test(provider);
    return isKnown ? [] : [fault(alias, `unknown provider ${provider}`)];
  });
}

function fault(alias: string, reason: string): ErrorEntry {
  const { invalidField } = gatewayFieldErrors;
  const member = alias.replaceAll('~', '~0').replaceAll('/', '~1');
  return errorEntry(invalidField, {
    message: `${invalidField.message}: ${reason}`,
    pointer: `/model_aliases/${member}`,
  });
}

/** Parses the stored aliases. */
export function parseModelAliases(stored: string | null): ModelAliases | null {
  return stored === null ? null : (JSON.parse(stored) as ModelAliases);
}
