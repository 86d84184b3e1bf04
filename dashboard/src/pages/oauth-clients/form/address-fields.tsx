import { describeRedirectUri } from '../../../lib/redirect-uri.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { findApplication } from './applications.ts';
import { labels } from './labels.ts';
import { UriList } from './uri-list.tsx';
import { WebUriField } from './web-uri-field.tsx';
import type { ClientForm } from './use-client-form.ts';

interface PartProps {
  client: ClientForm;
}

/** What people know the client by. */
export function NameField({ client }: PartProps) {
  return (
    <Field label={labels.name} hint={labels.usersSee} error={client.faultAt('client_name')?.reason}>
      <Input
        value={client.values.client_name}
        maxLength={300}
        required
        onChange={(event) => client.set('client_name', event.target.value)}
        onBlur={() => client.touch('client_name')}
      />
    </Field>
  );
}

/** Where people are sent, and which pages may ask. */
export function RedirectFields({ client }: PartProps) {
  const { token_endpoint_auth_method: authMethod, application, ...lists } = client.values;
  const holdsSecret = authMethod !== 'none';
  const example = findApplication(application)?.redirectUri ?? 'https://app.example.com/callback';
  const needsCors = !holdsSecret || lists.allowed_cors_origins.length > 0;
  return (
    <>
      <UriList
        client={client}
        name="redirect_uris"
        legend={labels.redirectUris}
        label={labels.redirectUri}
        placeholder={example}
        describe={(text) => describeRedirectUri(text, holdsSecret)}
        hint={<RedirectHint holdsSecret={holdsSecret} />}
      />
      <UriList
        client={client}
        name="post_logout_redirect_uris"
        legend={<OptionalLegend text={labels.postLogoutRedirectUris} />}
        label={labels.postLogoutRedirectUri}
        placeholder="https://app.example.com/goodbye"
        describe={(text) => describeRedirectUri(text, holdsSecret)}
        hint={labels.whereTheApplicationMayRedirect}
      />
      <WebUriField
        client={client}
        name="backchannel_logout_uri"
        label={labels.backchannelLogoutUri}
        placeholder="https://app.example.com/backchannel-logout"
        hint={labels.theServerPostsALogoutToken}
      />
      {needsCors && (
        <UriList
          client={client}
          name="allowed_cors_origins"
          legend={<OptionalLegend text={labels.corsOrigins} />}
          label={labels.origin}
          placeholder="https://app.example.com"
          hint={labels.onlyForBrowserApplicationsPages}
        />
      )}
    </>
  );
}

function OptionalLegend({ text }: { text: string }) {
  return (
    <>
      {text} <span className="font-normal text-muted">(optional)</span>
    </>
  );
}

function RedirectHint({ holdsSecret }: { holdsSecret: boolean }) {
  return (
    <>
      Where the server redirects users with the code. The application must send one of these URIs
      exactly. Use https.{' '}
      {holdsSecret ? (
        labels.forDevelopmentHttpIsAllowed
      ) : (
        <>
          For apps on a device, use <code className="font-mono">http://127.0.0.1/callback</code>,
          which matches any port, or your domain in reverse order:{' '}
          <code className="font-mono">com.example.app:/callback</code>.
        </>
      )}
    </>
  );
}

interface PresentationProps extends PartProps {
  /** What changing the home page does to a client that has one. */
  homePageNote?: string | undefined;
}

/** What people are shown beside the name. */
export function PresentationFields({ client, homePageNote }: PresentationProps) {
  return (
    <>
      <WebUriField
        client={client}
        name="logo_uri"
        label={labels.logo}
        placeholder="https://app.example.com/logo.png"
        hint={labels.imageNextToTheName}
      />
      <WebUriField
        client={client}
        name="client_uri"
        label={labels.clientUrl}
        placeholder="https://app.example.com/"
        hint={homePageNote ?? labels.homePageOfTheApplication}
      />
      <WebUriField
        client={client}
        name="policy_uri"
        label={labels.privacyPolicy}
        placeholder="https://example.com/privacy"
        hint={labels.linkedOnTheConsentPage}
      />
      <WebUriField
        client={client}
        name="tos_uri"
        label={labels.termsOfService}
        placeholder="https://example.com/terms"
        hint={labels.linkedOnTheConsentPageThe}
      />
    </>
  );
}
