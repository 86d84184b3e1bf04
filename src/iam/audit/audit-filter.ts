import { type Static, Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import type { AuditRow } from './audit-chain.ts';
import { productsOf } from './products.ts';

/** One condition on a column; all conditions of a filter must hold. */
export interface AuditCondition {
  /** Null: no row of ours has such a thing. */
  column: keyof AuditRow | null;
  /** Alternatives. */
  values: readonly (string | number)[];
  /** Rows with one of the values are left out; those without any value stay. */
  isNegated: boolean;
}

// Each name also exists with `.not`. Two spellings of one column are two conditions.
const COLUMNS = {
  id: 'id',
  account_name: 'account_name',
  action_result: 'action_result',
  action_type: 'action_type',
  actor_context: 'actor_context',
  actor_email: 'actor_email',
  actor_id: 'actor_id',
  actor_ip_address: 'actor_ip_address',
  actor_token_id: 'actor_token_id',
  actor_token_name: 'actor_token_name',
  actor_type: 'actor_type',
  audit_log_id: 'id',
  raw_cf_ray_id: 'request_id',
  raw_method: 'request_method',
  raw_status_code: 'request_status_code',
  raw_uri: 'request_uri',
  resource_id: 'resource_id',
  resource_product: 'resource_product',
  resource_scope: 'resource_scope',
  resource_type: 'resource_type',
  // The clients know them; this server has no zones.
  zone_id: null,
  zone_name: null,
} as const satisfies Record<string, keyof AuditRow | null>;

type FieldName = keyof typeof COLUMNS;
type TextFieldName = Exclude<FieldName, 'raw_status_code'>;

// Of all filters together: each is compared with every row that is looked at.
const MAX_VALUES = 100;

const TextValues = Type.Optional(Type.Array(Type.String(), { maxItems: MAX_VALUES }));
const StatusValues = Type.Optional(
  Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { maxItems: MAX_VALUES }),
);

const fieldNames = Object.keys(COLUMNS) as FieldName[];

type TextParameters = Record<TextFieldName | `${TextFieldName}.not`, typeof TextValues>;

/** The query parameters that filter: a field, or a field with `.not`, each repeatable. */
export const AuditFilterParameters = {
  ...(Object.fromEntries(
    fieldNames.flatMap((name) => [
      [name, TextValues],
      [`${name}.not`, TextValues],
    ]),
  ) as TextParameters),
  raw_status_code: StatusValues,
  'raw_status_code.not': StatusValues,
  product_category: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_VALUES,
      description:
        'All products of the category, in addition to `resource_product`. The operation `list-audit-log-product-categories` lists them',
    }),
  ),
};

const FilterSchema = Type.Object(AuditFilterParameters);

type FilterQuery = Static<typeof FilterSchema>;

/**
 * The conditions that a query sets, in an order of their own.
 * @throws ApiError 6010 for an unknown product category, and for more than 100 values in all
 */
export function parseAuditFilter(query: FilterQuery): AuditCondition[] {
  checkValueCount(query);
  const conditions: AuditCondition[] = [];
  for (const name of fieldNames) {
    const column = COLUMNS[name];
    const values = name === 'resource_product' ? productsFrom(query) : query[name];
    if (values !== undefined) conditions.push({ column, values, isNegated: false });
    const excluded = query[`${name}.not`];
    if (excluded !== undefined) conditions.push({ column, values: excluded, isNegated: true });
  }
  return conditions;
}

function checkValueCount(query: FilterQuery): void {
  const parameters = Object.keys(AuditFilterParameters) as (keyof FilterQuery)[];
  const count = parameters.reduce((sum, name) => sum + (query[name]?.length ?? 0), 0);
  if (count <= MAX_VALUES) return;
  throw apiError(httpErrors.invalidParameter, {
    message: `Invalid request parameter: the filters have more than ${MAX_VALUES} values in total`,
  });
}

/** The categories and the products by name are one list of alternatives. */
function productsFrom(query: FilterQuery): string[] | undefined {
  const { product_category: categories, resource_product: named } = query;
  if (categories === undefined) return named;
  const products = categories.flatMap((category) => {
    const found = productsOf(category);
    if (found !== undefined) return found;
    throw apiError(httpErrors.invalidParameter, {
      message: `Invalid request parameter: product_category ${category.slice(0, 64)} is not known`,
      pointer: 'product_category',
    });
  });
  return [...new Set([...(named ?? []), ...products])];
}
