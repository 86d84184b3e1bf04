import { gatewayFieldErrors } from '../../iam/gateway-operations.ts';
import { type ApiError, apiError } from '../../http/errors.ts';
import type { Transaction } from '../../storage/schema.ts';
import { CUSTOM_PREFIX, lockCustomProvider } from '../custom-providers/custom-provider-store.ts';
import type { ProviderTraits } from '../admin-services.ts';
import type { KeyRateLimit, ProviderConfig } from './provider-config-store.ts';

// The JSON of a service account takes some 2,400 bytes.
const MAX_SECRET_BYTES = 16_384;

// RFC 9110 section 5.5: what every server takes in a header.
export const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

const PREVIEW_LENGTH = 4;
// Of a shorter one, the end would be too much.
const MIN_PREVIEWED_LENGTH = 16;

/**
 * A provider's key as it is sent: without the spaces and the line end that come along when it is copied.
 * @throws ApiError 5001 when it is none that could be sent; the key is not in the message
 */
export function parseSecret(text: string): string {
  const secret = text.trim();
  if (Buffer.byteLength(secret) > MAX_SECRET_BYTES) {
    throw invalid('secret', `secret must have at most ${MAX_SECRET_BYTES} bytes`);
  }
  // What begins like JSON and is none was cut off.
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

/** What people recognise a key by. */
export function previewOf(secret: string): string {
  if (secret.startsWith('{')) return '{…}';
  return secret.length < MIN_PREVIEWED_LENGTH ? '…' : `…${secret.slice(-PREVIEW_LENGTH)}`;
}

/** @throws ApiError 5001 for half a limit, which would be none */
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

/** For whom a key is kept, and where alone it may be sent. */
export type KeyTarget = Pick<ProviderConfig, 'providerSlug' | 'origin'>;

/**
 * The provider that a key is for, by its own name, and the origin that it is bound to. A custom provider
 * stays as it is until the transaction ends: a key must not go to whatever takes its name.
 * @throws ApiError 5001 when there is no such provider, it takes no key, or the origin is none of its
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

/** Nobody should believe in a bound that does not come from the provider itself. */
function checkNone(origin: string | undefined, slug: string): undefined {
  if (origin !== undefined) throw invalid('origin', `${slug} has a fixed origin: omit it`);
}

/**
 * JSON is no header, however it is written: it is for providers that sign with it, or exchange it.
 * @param provider undefined: a custom one
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
