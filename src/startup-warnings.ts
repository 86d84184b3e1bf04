import { lacksPublicAddress } from './config/public-address.ts';
import type { Settings } from './config/settings.ts';
import { createProviders } from './gateway/providers/catalogue.ts';

/** Where warnings go. */
export interface WarningLog {
  warn(message: string): void;
}

/** Says what is probably a mistake in the settings, though the server can run with them. */
export function warnOfMistakes(log: WarningLog, settings: Settings): void {
  warnOfUnknownProviders(log, settings);
  warnOfUnusedKeys(log, settings);
  warnOfMissingAddress(log, settings);
}

/** Settings of a provider that does not exist are a typing error that nobody would notice. */
function warnOfUnknownProviders(log: WarningLog, { PROVIDERS }: Settings): void {
  const known = [...createProviders(PROVIDERS).keys()];
  for (const name of PROVIDERS.keys()) {
    if (known.includes(name)) continue;
    const prefix = `LATCHKEY_PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_`;
    log.warn(`${prefix}… is ignored: unknown provider "${name}"; known: ${known.join(', ')}`);
  }
}

/** A key is not lent where callers would choose who gets it. */
function warnOfUnusedKeys(log: WarningLog, { PROVIDERS }: Settings): void {
  for (const [name, provider] of createProviders(PROVIDERS)) {
    if (provider.kind !== 'upstream' || provider.keyOrigin === undefined) continue;
    if (PROVIDERS.get(name)?.apiKey === undefined) continue;
    const prefix = `LATCHKEY_PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_`;
    log.warn(`${prefix}API_KEY has no effect without ${prefix}BASE_URL`);
  }
}

/** Invitations that are shown, and passkeys, would not work: browsers must reach what they name. */
function warnOfMissingAddress(log: WarningLog, settings: Settings): void {
  if (!lacksPublicAddress(settings)) return;
  log.warn(
    `links and passkeys use ${settings.HOST}, which browsers cannot reach: set LATCHKEY_BASE_URL`,
  );
}
