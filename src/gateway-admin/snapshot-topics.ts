import type { Announcement } from '../storage/invalidation.ts';

/** Topic of changed gateways; the key is `{account}/{gateway}`. */
export const GATEWAY_TOPIC = 'gateway';

/** Topic of changed provider keys; the key is `{account}/{gateway}`. */
export const KEYS_TOPIC = 'gateway_keys';

/** Topic of changed custom providers; the key is `{account}/{slug}`. */
export const CUSTOM_PROVIDER_TOPIC = 'custom_provider';

/** Announces a change of a gateway. */
export function gatewayAnnouncement(accountId: string, id: string): Announcement {
  return { topic: GATEWAY_TOPIC, key: `${accountId}/${id}` };
}

/** Announces a change of the provider keys of a gateway. */
export function keysAnnouncement(accountId: string, gatewayId: string): Announcement {
  return { topic: KEYS_TOPIC, key: `${accountId}/${gatewayId}` };
}

/** Announces a change of a custom provider. */
export function customProviderAnnouncement(accountId: string, slug: string): Announcement {
  return { topic: CUSTOM_PROVIDER_TOPIC, key: `${accountId}/${slug}` };
}
