import type { UnconfiguredProvider } from './provider.ts';

/**
 * A provider that is nowhere until the operator says where.
 * @param example of an address
 */
export function unconfigured(name: string, example: string): UnconfiguredProvider {
  const setting = `LATCHKEY_PROVIDER_${name.toUpperCase().replaceAll('-', '_')}_BASE_URL`;
  return {
    kind: 'unconfigured',
    name,
    reason: `${name} has no address: the operator sets ${setting}, such as ${example}`,
  };
}
