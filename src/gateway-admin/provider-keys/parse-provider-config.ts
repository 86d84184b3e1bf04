import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { type ApiError, apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { CUSTOM_PREFIX, lockCustomProvider } from '../custom-providers/custom-provider-store.ts';
import type { ProviderTraits } from '../admin-services.ts';
import type { KeyRateLimit, ProviderConfig } from './provider-config-store.ts';

// The JSON file of a service account has about 2,400 bytes.
const MAX_SECRET_BYTES = 16_384;

// Characters that every server accepts in a header (RFC 9110 section 5.5).
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const PREVIEW_LENGTH = 4;
// The preview of a shorter key would reveal too much of it.
const MIN_PREVIEWED_LENGTH = 16;

/**
 * Parses a provider key. Removes white space around it, which users copy along.
 * @throws ApiError 5001 for a key that no header can contain; the message does not contain the key
 */
export function parseSecret(text: string): string {
  const secret = text.trim();
  if (Buffer.byteLength(secret) > MAX_SECRET_BYTES) {
    throw invalid('secret', `secret must have at most ${MAX_SECRET_BYTES} bytes`);
  }
  // Invalid JSON is a truncated file.
  if (secret.startsWith('{') ? isJson(secret) : HEADER_VALUE.test(secret)) return secret;
  throw invalid('secret', 'secret must be one line of printable ASCII, or a JSON object');
}

function isJson(text: string): boolean {
  try {
    void JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the preview of a key. */
export function previewOf(secret: string): string {
  if (secret.startsWith('{')) return '{…}';
  return secret.length < MIN_PREVIEWED_LENGTH ? '…' : `…${secret.slice(-PREVIEW_LENGTH)}`;
}

/** @throws ApiError 5001 for a limit without a period, or a period without a limit */
export function parseKeyRateLimit(
  rateLimit: number | null | undefined,
  period: number | null | undefined,
): KeyRateLimit | undefined {
  const requests = rateLimit ?? 0;
  const windowSeconds = period ?? 0;
  if (requests === 0 && windowSeconds === 0) return undefined;
  if (requests > 0 && windowSeconds > 0) return { requests, windowSeconds };
  throw invalid(
    requests === 0 ? 'rate_limit' : 'rate_limit_period',
    'rate_limit and rate_limit_period must both be set or both be disabled (0 or null)',
  );
}

/** The provider of a key, and the only origin that may receive it. */
export type KeyTarget = Pick<ProviderConfig, 'providerSlug' | 'origin'>;

/**
 * Returns the provider of a key by its main name, and the origin of the key. Locks a custom provider, so that the key cannot
 * reach another provider with the same slug.
 * @throws ApiError 5001 if the provider does not exist or uses no key, or has no such origin
 */
export async function parseKeyTarget(
  tx: Transaction,
  providers: ReadonlyMap<string, ProviderTraits>,
  accountId: string,
  { provider_slug: slug, origin }: { provider_slug: string; origin?: string },
): Promise<KeyTarget> {
  const builtIn = providers.get(slug);
  if (builtIn?.kind === 'local') throw invalid('provider_slug', `${slug} does not use a key`);
  if (builtIn !== undefined) {
    const { name } = builtIn;
    const form = builtIn.kind === 'upstream' ? builtIn.keyOrigin : undefined;
    if (form === undefined) return { providerSlug: name, origin: checkNone(origin, name) };
    if (origin !== undefined && form.pattern.test(origin)) return { providerSlug: name, origin };
    throw invalid('origin', `the origin of the key must have the form ${form.example}`);
  }
  const custom = slug.startsWith(CUSTOM_PREFIX)
    ? await lockCustomProvider(tx, accountId, { slug: slug.slice(CUSTOM_PREFIX.length) })
    : undefined;
  if (custom !== undefined) {
    checkNone(origin, slug);
    return { providerSlug: slug, origin: new URL(custom.baseUrl).origin };
  }
  throw invalid(
    'provider_slug',
    'provider_slug must be a built-in provider, or custom- followed by the slug of a custom provider of the account',
  );
}

/** Rejects an origin for a provider with a fixed one. */
function checkNone(origin: string | undefined, slug: string): undefined {
  if (origin !== undefined) throw invalid('origin', `${slug} has a fixed origin: omit it`);
}

/**
 * Rejects a JSON key for a provider that neither signs with it nor exchanges it.
 * @param provider undefined: a custom provider
 * @throws ApiError 5001
 */
export function checkKeyForm(secret: string, provider: ProviderTraits | undefined): void {
  if (!secret.startsWith('{')) return;
  if (provider?.kind === 'upstream' && provider.takesJsonKeys === true) return;
  throw invalid(
    'secret',
    'secret must be one line of printable ASCII: the provider does not support JSON keys',
  );
}

/** @param reason completes "Invalid field: …" */
export function invalid(field: string, reason: string): ApiError {
  const { invalidField } = gatewayFieldErrors;
  return apiError(invalidField, {
    message: `${invalidField.message}: ${reason}`,
    pointer: `/${field}`,
  });
}
