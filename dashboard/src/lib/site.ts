/** What the server wrote into the page about this installation. */
function meta(name: string): string {
  const element = document.querySelector(`meta[name="latchkey:${name}"]`);
  return element?.getAttribute('content') ?? '';
}

/** Name of this installation as its setting has it, in lower case as a rule. */
export const brand = meta('brand') || 'latchkey';

/** The same as a title shows it. */
export const brandName = brand.charAt(0).toUpperCase() + brand.slice(1);

/** Where programs find the management API: `https://…/client/v4`. */
export const baseUrl = meta('base-url') || `${location.origin}/client/v4`;

/** Where programs find the AI gateway. */
export const gatewayUrl = meta('gateway-url') || location.origin;

/** Who issues the tokens of OAuth clients: where `/oauth2/auth` is. */
export const issuer = baseUrl.replace(/\/client\/v4$/, '');

/** Name of the cookie with the token that every request of ours carries in a header. */
export const csrfCookie = meta('csrf-cookie') || 'latchkey_csrf';

/** Of the server; empty in tests of a page without one. */
export const version = meta('version');
