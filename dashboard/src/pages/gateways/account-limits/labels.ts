/** The texts of the page for the spend limits of an account. */
export const labels = {
  title: 'Spend limits',
  lead: 'Limits that several gateways share, for example all gateways of one team.',
  unseen: 'the spend limits',
  deed: 'change spend limits',
  spend: 'Current spend',
  rules: 'Rules',
  rulesLead:
    'All gateways that a rule applies to share its budget. To limit one gateway, use its settings.',
  saved: 'Spend limits saved',
} as const;
