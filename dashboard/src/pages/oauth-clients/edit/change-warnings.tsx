import type { OAuthClient } from '../../../api/oauth-clients.ts';
import { Callout } from '../../../ui/badge.tsx';
import { type ClientValues, filledRows } from '../form/client-values.ts';
import { labels } from './labels.ts';

interface ChangeWarningsProps {
  stored: OAuthClient;
  values: ClientValues;
}

/** What the changes will do beyond themselves, said before they are saved. */
export function ChangeWarnings({ stored, values }: ChangeWarningsProps) {
  const warnings = [
    homePageWarning(stored, values.client_uri.trim()),
    verifiedWarning(stored, values),
    originWarning(stored, values),
    removalWarning(stored, values),
    scopeWarning(stored, values),
    refreshWarning(stored, values),
  ].filter((warning) => warning !== undefined);
  return (
    <div role="status">
      {warnings.length > 0 && (
        <Callout tone="warning" title={labels.effectsOfSaving}>
          <ul className="list-disc space-y-1 pl-5">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  );
}

function homePageWarning(stored: OAuthClient, uri: string): string | undefined {
  const before = stored.client_uri ?? '';
  const host = URL.parse(uri)?.hostname;
  if (uri === before || stored.visibility === 'public') return undefined;
  if (uri === '') return labels.theVerificationOfTheClient;
  if (host === undefined) return undefined;
  const proof = labels.getsANewTxtRecord(host);
  return stored.client_uri_verification?.status === 'verified'
    ? labels.theClientUrlIsUnverified(proof)
    : proof;
}

/** Only the host of the home page is verified. */
function verifiedWarning(stored: OAuthClient, values: ClientValues): string | undefined {
  if (stored.client_uri_verification?.status !== 'verified') return undefined;
  const isRenamed = values.client_name.trim() !== stored.client_name;
  const hasNewLogo = values.logo_uri.trim() !== (stored.logo_uri ?? '');
  if (!isRenamed && !hasNewLogo) return undefined;
  return labels.theClientStaysVerified;
}

const originOf = (uri: string): string => {
  const url = URL.parse(uri);
  return url === null || url.origin === 'null' ? uri : url.origin;
};

function originWarning(stored: OAuthClient, values: ClientValues): string | undefined {
  const known = new Set(stored.redirect_uris.map(originOf));
  const added = filledRows(values.redirect_uris).filter((uri) => !known.has(originOf(uri)));
  if (added.length === 0) return undefined;
  const names = [...new Set(added.map(originOf))].join(', ');
  return labels.usersMustConsentAgainBefore(names);
}

function removalWarning(stored: OAuthClient, values: ClientValues): string | undefined {
  const kept = filledRows(values.redirect_uris);
  const gone = stored.redirect_uris.filter((uri) => !kept.includes(uri));
  if (gone.length === 0) return undefined;
  return labels.signInsThatRedirect(gone.join(', '));
}

function scopeWarning(stored: OAuthClient, values: ClientValues): string | undefined {
  const kept = new Set([...values.scopes, 'openid', 'offline_access']);
  const gone = stored.scopes.filter((id) => !kept.has(id));
  if (gone.length === 0) return undefined;
  return labels.theApplicationLosesImmediately(gone.join(', '));
}

function refreshWarning(stored: OAuthClient, values: ClientValues): string | undefined {
  const isGone =
    stored.grant_types.includes('refresh_token') && !values.grant_types.includes('refresh_token');
  return isGone ? labels.issuedRefreshTokensStopWorking : undefined;
}
