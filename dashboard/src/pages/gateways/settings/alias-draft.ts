import type { operations } from '../../../api/schema.d.ts';

type Gateway = operations['get-gateway']['responses'][200]['content']['application/json']['result'];
type GatewaySettings = operations['update-gateway']['requestBody']['content']['application/json'];

/** One alias in the form. */
export interface AliasRow {
  alias: string;
  /** `provider/model` */
  model: string;
}

/** The values of the form for model aliases. */
export interface AliasDraft {
  rows: AliasRow[];
}

/** Reads the form's values from a gateway. */
export function readAliases({
  model_aliases: aliases,
}: Pick<Gateway, 'model_aliases'>): AliasDraft {
  return { rows: Object.entries(aliases ?? {}).map(([alias, model]) => ({ alias, model })) };
}

/** Writes the form's values as settings. */
export function writeAliases({ rows }: AliasDraft): Partial<GatewaySettings> {
  if (rows.length === 0) return { model_aliases: null };
  const entries = rows.map(({ alias, model }) => [alias.trim(), model.trim()] as const);
  return { model_aliases: Object.fromEntries(entries) };
}

/** Maps the path of a fault, such as `model_aliases.fast`, to the field that shows it. */
export function fieldOfAlias(path: string, { rows }: AliasDraft): string {
  // Aliases can contain dots.
  const alias = path.split('.').slice(1).join('.');
  const row = rows.findIndex((candidate) => candidate.alias.trim() === alias);
  return row === -1 ? 'rows' : `rows.${row}.model`;
}
