import { lookUpClient } from '../clients/look-up-client.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { letterTile } from './letter-tile.ts';

const PATH = /^\/oauth2\/clients\/([0-9a-f]{32})\/logo$/;

/** Where our copy of a client's logo is. */
export function logoPath(clientId: string): string {
  return `/oauth2/clients/${clientId}/logo`;
}

// A browser that navigates to a logo downloads it instead of opening it as a page. `<img>` still shows it.
const HEADERS: Readonly<Record<string, string>> = {
  'content-disposition': 'attachment; filename="logo"',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

const LOGO_SECONDS = 3_600;
// A logo may be there soon.
const TILE_SECONDS = 60;

/**
 * `GET /oauth2/clients/{client_id}/logo`: our copy of what the client names as its logo, so that the
 * browsers of people never ask the client's own server; a letter when there is nothing to be had.
 */
export function logoEndpoint(services: OAuthServices): Endpoint {
  return {
    path: logoPath(':client_id'),
    cors: 'nobody',
    async get({ facts }) {
      const clientId = PATH.exec(facts.path)?.[1] ?? '';
      const client = await lookUpClient(services, clientId, facts.ip);
      if (client === undefined) {
        throw new ProtocolError('invalid_request', 'client not found', { status: 404 });
      }
      const logo = await services.logos.find(client);
      const maxAgeSeconds = logo === undefined ? TILE_SECONDS : LOGO_SECONDS;
      const body = logo ?? letterTile(client.name);
      const { etag } = body;
      const headers = { ...HEADERS, 'cache-control': `private, max-age=${maxAgeSeconds}`, etag };
      const isKnown = isNamed(etag, facts.headers['if-none-match']);
      return isKnown ? { status: 304, headers } : { body, headers };
    },
  };
}

/** RFC 9110 section 13.1.2: whoever names a tag has what it stands for. */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
