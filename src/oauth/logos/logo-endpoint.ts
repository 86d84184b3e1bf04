import type { Endpoint } from '../endpoints/endpoint.ts';
import type { OAuthServices } from '../oauth-services.ts';
import { ProtocolError } from '../protocol-error.ts';
import { letterTile } from './letter-tile.ts';

const PATH = /^\/oauth2\/clients\/([0-9a-f]{32})\/logo$/;

/** Where our copy of a client's logo is. */
export function logoPath(clientId: string): string {
  return `/oauth2/clients/${clientId}/logo`;
}

// A picture is no page: opened by itself, it runs and loads nothing.
const HEADERS: Readonly<Record<string, string>> = {
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
export function logoEndpoint({ clients, logos }: OAuthServices): Endpoint {
  return {
    path: logoPath(':client_id'),
    cors: 'nobody',
    async get({ facts }) {
      const client = await clients.find(PATH.exec(facts.path)?.[1] ?? '');
      if (client === undefined) {
        throw new ProtocolError('invalid_request', 'there is no such client', { status: 404 });
      }
      const logo = await logos.find(client);
      const maxAgeSeconds = logo === undefined ? TILE_SECONDS : LOGO_SECONDS;
      return {
        body: logo ?? letterTile(client.name),
        headers: { ...HEADERS, 'cache-control': `private, max-age=${maxAgeSeconds}` },
      };
    },
  };
}
