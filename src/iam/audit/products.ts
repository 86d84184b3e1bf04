import type { Permission } from '../permissions.ts';

/** A part of the product, as rows of the audit log name it. */
export interface AuditProduct {
  /** As `resource_product` holds it. */
  value: string;
  label: string;
}

/** A group of products that one filter value stands for. */
export interface AuditProductCategory extends AuditProduct {
  products: AuditProduct[];
}

/** The groups are those of the permission catalogue, so that there is one way to divide the product. */
type Category = Permission['category'];

const LABELS: Readonly<Record<Category, string>> = {
  account: 'Account',
  developer_platform: 'Developer platform',
  ai: 'AI',
  user: 'People',
};

const PRODUCTS: Readonly<Record<Category, Readonly<Record<string, string>>>> = {
  account: {
    accounts: 'Accounts',
    members: 'Members and roles',
    api_tokens: 'API tokens',
    audit_logs: 'Audit log',
    tags: 'Resource tags',
    webhooks: 'Webhooks',
  },
  developer_platform: { oauth_clients: 'OAuth clients' },
  ai: { ai_gateway: 'AI gateway' },
  user: {
    user: 'Person',
    memberships: 'Memberships and invitations',
    sessions: 'Sign-in and sessions',
    two_factor: 'Two-factor authentication',
  },
};

/** Every product category, in the order of the reference. */
export const productCategories: readonly AuditProductCategory[] = Object.entries(PRODUCTS).map(
  ([value, products]) => ({
    value,
    label: LABELS[value as Category],
    products: Object.entries(products).map(([product, label]) => ({ value: product, label })),
  }),
);

/** The products of a category, whatever the case of its name; undefined for an unknown one. */
export function productsOf(category: string): string[] | undefined {
  const wanted = category.toLowerCase();
  return productCategories
    .find(({ value }) => value === wanted)
    ?.products.map(({ value }) => value);
}
