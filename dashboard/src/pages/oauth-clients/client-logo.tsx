import { useState } from 'react';
import type { OAuthClient } from '../../api/oauth-clients.ts';

interface ClientLogoProps {
  client: Pick<OAuthClient, 'client_id' | 'client_name' | 'logo_uri'>;
}

/**
 * The picture of a client, or the first letter of its name. The server fetches it: the page's policy lets in
 * no pictures of other origins.
 */
export function ClientLogo({ client }: ClientLogoProps) {
  const { client_id: id, client_name: name, logo_uri: logoUri } = client;
  const [brokenUri, setBrokenUri] = useState<string>();
  const isShown = logoUri !== undefined && brokenUri !== logoUri;
  return (
    <span
      aria-hidden
      className="inline-flex size-9 shrink-0 items-center justify-center overflow-hidden rounded-lg border border-line bg-sunken font-semibold text-muted"
    >
      {isShown ? (
        <img
          src={`/oauth2/clients/${id}/logo`}
          alt=""
          className="size-full object-contain"
          onError={() => setBrokenUri(logoUri)}
        />
      ) : (
        String.fromCodePoint(name.trim().codePointAt(0) ?? 63).toUpperCase()
      )}
    </span>
  );
}
