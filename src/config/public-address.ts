import ipaddr from 'ipaddr.js';
import { SettingError } from './setting-parsers.ts';

/** The settings that say where browsers reach the server, and what needs to know it. */
export interface AddressSettings {
  HOST: string;
  PORT: number;
  BASE_URL: string | undefined;
  SMTP_URL: unknown;
  OIDC_ISSUER: string | undefined;
}

/** Whether the server listens on every address of its machine: then none of them is its own. */
function isEveryAddress(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'unspecified';
}

/** Whether links, and the name that passkeys are bound to, would name an address that is none. */
export function lacksPublicAddress({
  HOST,
  BASE_URL,
}: Pick<AddressSettings, 'HOST' | 'BASE_URL'>): boolean {
  return BASE_URL === undefined && isEveryAddress(HOST);
}

/**
 * Demands the address that browsers use of a server that tells others: in mails, or as the place to
 * which an OpenID provider sends people back.
 * @throws SettingError
 */
export function checkPublicAddress(settings: AddressSettings): void {
  const { SMTP_URL, OIDC_ISSUER, HOST } = settings;
  const isTold = SMTP_URL !== undefined || OIDC_ISSUER !== undefined;
  if (!isTold || !lacksPublicAddress(settings)) return;
  const reason = SMTP_URL === undefined ? 'OIDC_ISSUER' : 'SMTP_URL';
  throw new SettingError(
    `LATCHKEY_${reason} requires LATCHKEY_BASE_URL: clients cannot reach this server at LATCHKEY_HOST ${HOST}`,
  );
}

/** Where a browser on this machine reaches the server, without a path. */
export function localOrigin({ HOST, PORT }: Pick<AddressSettings, 'HOST' | 'PORT'>): string {
  const name = isEveryAddress(HOST) ? 'localhost' : HOST;
  return `http://${name.includes(':') ? `[${name}]` : name}:${PORT}`;
}
