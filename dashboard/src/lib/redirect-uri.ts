import {
  type UriFault,
  faultOf,
  findHttpUriFault,
  findUriTextFault,
  isLoopbackHost,
  settled,
  withScheme,
} from './web-uri.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const NEVER_ALLOWED = new Set(['javascript', 'data', 'vbscript', 'blob', 'file', 'about']);
const REVERSE_DOMAIN = /^[a-z](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;
const PRIVATE_USE_AUTHORITY = /^[A-Za-z0-9._~-]*$/;

/**
 * What is wrong with a redirect URI, or one for after the sign-out, by the rules of the server.
 * @param holdsSecret whether the client has a secret, and so runs on a server
 */
export function findRedirectUriFault(text: string, holdsSecret: boolean): UriFault | undefined {
  const find = (tried: string): UriFault | undefined => findFault(tried, holdsSecret);
  return settled(find(text), find);
}

const LOCAL_HTTP =
  /^http:\/\/(?:[a-z0-9_-]+|[a-z0-9_.-]+\.(?:localhost|local|internal|home\.arpa)|[0-9.]+|\[[0-9a-f:]+\])(?=[:/?]|$)/i;
const SHORT_SCHEME = /^([a-z][a-z0-9+-]*)(?=:\/)/i;

/** Returns true if the settings of the server may allow a URI that {@link findRedirectUriFault} refuses. */
export function dependsOnServer(text: string, holdsSecret: boolean): boolean {
  const scheme = SHORT_SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'https' || NEVER_ALLOWED.has(scheme)) return false;
  if (scheme !== 'http') {
    const alike = text.replace(SHORT_SCHEME, 'com.example.app');
    return findRedirectUriFault(alike, holdsSecret) === undefined;
  }
  const alike = text.replace(/^http:/i, 'https:');
  return LOCAL_HTTP.test(text) && findRedirectUriFault(alike, holdsSecret) === undefined;
}

function findFault(text: string, holdsSecret: boolean): UriFault | undefined {
  const textFault = findUriTextFault(text);
  if (textFault !== undefined) return textFault;
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  // "localhost:3000" reads as a scheme, and is none that anybody means.
  const isHostWithPort = /^[a-z0-9.-]+:[0-9]+(?:[/?]|$)/i.test(text);
  if (scheme === undefined || isHostWithPort) {
    return faultOf('Enter a complete URI, including the scheme.', withScheme(text));
  }
  if (NEVER_ALLOWED.has(scheme)) {
    return faultOf(`URIs with the scheme ${scheme}: can run or show foreign content. Use https.`);
  }
  if (text.includes('#')) {
    const reason = "The URI can't contain a fragment. Browsers never send fragments to the server.";
    return faultOf(reason, text.slice(0, text.indexOf('#')));
  }
  if (text.includes('*')) {
    return faultOf(
      'Wildcards would let attackers intercept the code. List every URI in full, and put values that vary into “state”.',
    );
  }
  return scheme === 'http' || scheme === 'https'
    ? findHttpUriFault(text)
    : findPrivateUseFault(text, scheme, holdsSecret);
}

function findPrivateUseFault(
  text: string,
  scheme: string,
  holdsSecret: boolean,
): UriFault | undefined {
  if (!REVERSE_DOMAIN.test(scheme)) {
    return faultOf(
      `Any app could claim the scheme “${scheme}:”. Use https, or your domain in reverse order, such as com.example.app:/callback.`,
    );
  }
  if (holdsSecret) {
    return faultOf(
      'Private-use schemes are for apps on a device. This client runs on a server. Use https.',
    );
  }
  const rest = text.slice(scheme.length + 1);
  if (!rest.startsWith('/')) {
    return faultOf(`A slash must follow “${scheme}:”.`, `${scheme}:/${rest}`);
  }
  if (rest.startsWith('//')) {
    const [authority = ''] = rest.slice(2).split(/[/?]/, 1);
    if (authority.includes('@')) return faultOf("The URI can't contain a user name or password.");
    if (!PRIVATE_USE_AUTHORITY.test(authority)) {
      return faultOf(`“${authority}” is not allowed between the slashes.`);
    }
  }
  const isReadable = URL.parse(text)?.protocol === `${scheme}:`;
  return isReadable ? undefined : faultOf("Browsers can't parse this URI.");
}

/** What to know about a redirect URI without fault, when there is something. */
export function describeRedirectUri(text: string, holdsSecret: boolean): string | undefined {
  const url = URL.parse(text);
  if (url === null) return undefined;
  if (/^https?:$/.test(url.protocol)) {
    if (!isLoopbackHost(url.hostname)) return undefined;
    if (holdsSecret) return 'Your own machine, for development.';
    return "The user's own machine. Any port is accepted, and the user must consent every time.";
  }
  return 'Opens the app that registered this scheme on the device.';
}
