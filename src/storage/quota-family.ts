/** A group of quotas that are reported together. */
export interface QuotaFamily {
  name: string;
  /** JSON that distinguishes the quota from others of the family. */
  part: string;
}

/** The columns that store the family of a quota. */
export function familyColumns(family: QuotaFamily | undefined) {
  return { family: family?.name ?? null, part: family?.part ?? null };
}
