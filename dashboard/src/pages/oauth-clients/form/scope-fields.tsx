import { useSuspenseQuery } from '@tanstack/react-query';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { isProtocolScope } from '../../../lib/scope-words.ts';
import { ScopesPicker } from '../scopes/scopes-picker.tsx';
import { labels } from './labels.ts';
import type { ClientForm } from './use-client-form.ts';

const OPENID = labels.includedInEveryClient;
const OFFLINE = labels.includedWithRefreshTokens;

const fixed: ReadonlyMap<string, string> = new Map([
  ['openid', OPENID],
  ['offline_access', OFFLINE],
]);

/** What the client may ask for. */
export function ScopeFields({ client }: { client: ClientForm }) {
  const { data: scopes } = useSuspenseQuery(oauthScopesQuery);
  const { values } = client;
  const usesRefreshTokens = values.grant_types.includes('refresh_token');
  const implied = ['openid', ...(usesRefreshTokens ? ['offline_access'] : [])];
  const refusals = client.refusedPaths.filter((path) => /^(optional_)?scopes/.test(path));
  return (
    <div className="space-y-4">
      {[...new Set(['scopes', ...refusals])].map((path) => {
        const fault = client.faultAt(path);
        return (
          fault !== undefined && (
            <p key={path} role="alert" className="text-sm text-danger">
              {fault.reason}
            </p>
          )
        );
      })}
      <p className="text-[0.9375rem] text-muted">
        The scopes that the application can request. Each request can ask for fewer. Users decide,
        and never grant more than their own permissions. Users can decline scopes marked{' '}
        <strong className="font-semibold text-text">optional</strong> and still continue. Without
        scopes, the application only learns the user's identity.
      </p>
      <ScopesPicker
        scopes={scopes}
        value={[...implied, ...values.scopes]}
        onChange={(next) =>
          client.set(
            'scopes',
            next.filter((id) => !isProtocolScope(id)),
          )
        }
        optional={values.optional_scopes}
        onOptionalChange={(next) => client.set('optional_scopes', next)}
        fixed={fixed}
      />
    </div>
  );
}
