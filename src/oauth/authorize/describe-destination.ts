const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an answer stays on the person's own machine: it goes to an app, not to a site. */
function isOnDevice(redirectUri: string): boolean {
  const url = new URL(redirectUri);
  return !/^https?:$/.test(url.protocol) || LOOPBACK_HOSTS.has(url.hostname);
}

/** Where a person goes on after the decision, in words. */
export function describeDestination(redirectUri: string): string {
  return isOnDevice(redirectUri) ? 'an app on this device' : new URL(redirectUri).host;
}
