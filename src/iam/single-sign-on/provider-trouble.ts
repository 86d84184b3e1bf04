/**
 * Why a provider did not vouch for anybody.
 * - `refused`: it said so, or the person did; `reason` is its error code
 * - `stale`: the code was used already, or is too old
 * - `unreachable`: it may answer later
 * - `unusable`: it answered something that must not be believed, or refuses this server
 */
export class ProviderTrouble extends Error {
  readonly kind: 'refused' | 'stale' | 'unreachable' | 'unusable';
  readonly reason: string;

  constructor(kind: ProviderTrouble['kind'], reason: string) {
    super(`the OpenID provider is ${kind}: ${reason}`);
    this.kind = kind;
    this.reason = reason;
  }
}
