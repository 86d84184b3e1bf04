/** What the operator says of one provider. */
export interface ProviderSettings {
  /** Where its API begins; used as written. */
  baseUrl?: string;
  /** Lent to authenticated callers who bring no key of their own. */
  apiKey?: string;
}
