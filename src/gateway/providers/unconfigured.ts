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
    reason: `the address of ${name} is not configured: the operator sets ${setting}, for example ${example}`,
  };
}
