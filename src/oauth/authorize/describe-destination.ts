const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether an answer stays on the person's own machine: it goes to an app, not to a site. Any program
 * there may have taken the place of the client (RFC 8252 section 8.6).
 */
export function isOnDevice(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  return !/^https?:$/.test(protocol) || LOOPBACK_HOSTS.has(hostname);
}

/** Where a person goes on after the decision, in words. */
export function describeDestination(redirectUri: string): string {
  return isOnDevice(redirectUri) ? 'an app on this device' : new URL(redirectUri).host;
}

/** Returns true if a response travels over a network without encryption. */
export function isUnencrypted(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  return protocol === 'http:' && !LOOPBACK_HOSTS.has(hostname);
}

/** Returns the scheme of an application on the device, such as `cursor`; undefined for http and https. */
export function privateUseScheme(redirectUri: string): string | undefined {
  const { protocol } = new URL(redirectUri);
  return /^https?:$/.test(protocol) ? undefined : protocol.slice(0, -1);
}
