/**
 * Appends parameters to a redirect URI. Its text stays as it was registered, with the query that it
 * may have (RFC 6749 section 3.1.2): a parser would write it differently.
 */
export function redirectLocation(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return redirectUri + separatorOf(redirectUri) + added;
}

function separatorOf(redirectUri: string): string {
  if (!redirectUri.includes('?')) return '?';
  return /[?&]$/.test(redirectUri) ? '' : '&';
}
