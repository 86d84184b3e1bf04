import { Type } from 'typebox';
import { AccountParams, defineRoute } from '../route.ts';
import { productCategories } from './products.ts';

const Product = { value: Type.String(), label: Type.String() };

/** What the filter `product_category` of the audit log takes. */
export const listProductCategoriesRoute = () =>
  defineRoute({
    method: 'GET',
    path: '/accounts/:account_id/logs/audit/product_categories',
    operationId: 'list-audit-product-categories',
    section: 'Audit log',
    summary: 'List the product categories of the audit log',
    access: 'audit-logs.read',
    params: AccountParams,
    result: Type.Array(Type.Object({ ...Product, products: Type.Array(Type.Object(Product)) })),
    handler: () => Promise.resolve({ result: [...productCategories] }),
  });
