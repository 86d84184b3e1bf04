/** What quotas have in common that are told together. */
export interface QuotaFamily {
  name: string;
  /** What tells one from the others: JSON. */
  part: string;
}

/** How a quota is stored as one of its family. */
export function familyColumns(family: QuotaFamily | undefined) {
  return { family: family?.name ?? null, part: family?.part ?? null };
}
