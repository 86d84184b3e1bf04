import { describeRedirectUri } from '../../../lib/redirect-uri.ts';
import { Field, Input } from '../../../ui/field.tsx';
import { findApplication } from './applications.ts';
import { UriList } from './uri-list.tsx';
import { WebUriField } from './web-uri-field.tsx';
import type { ClientForm } from './use-client-form.ts';

interface PartProps {
  client: ClientForm;
}

/** What people know the client by. */
export function NameField({ client }: PartProps) {
  return (
    <Field
      label="Name"
      hint="People read it when they are asked to let the application in."
      error={client.faultAt('client_name')?.reason}
    >
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
        legend="Redirect URIs"
        label="Redirect URI"
        placeholder={example}
        describe={(text) => describeRedirectUri(text, holdsSecret)}
        hint={<RedirectHint holdsSecret={holdsSecret} />}
      />
      <UriList
        client={client}
        name="post_logout_redirect_uris"
        legend={<OptionalLegend text="Addresses after signing out" />}
        label="Address after signing out"
        placeholder="https://app.example.com/goodbye"
        describe={(text) => describeRedirectUri(text, holdsSecret)}
        hint="Where people may be sent after the application has signed them out here. The same rules."
      />
      {needsCors && (
        <UriList
          client={client}
          name="allowed_cors_origins"
          legend={<OptionalLegend text="Origins of pages" />}
          label="Origin"
          placeholder="https://app.example.com"
          hint="Only for applications in the browser: pages of these origins may read what the token endpoint and the API answer. Scheme, host and port."
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
      Where people come back to with the code. The application must name one of them exactly, byte
      by byte. Use https.{' '}
      {holdsSecret ? (
        'For development, http works with localhost, 127.0.0.1 and [::1].'
      ) : (
        <>
          On a device, use <code className="font-mono">http://127.0.0.1/callback</code>, which fits
          every port, or a domain of yours in reverse order:{' '}
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
        label="Logo"
        placeholder="https://app.example.com/logo.png"
        hint="A picture beside the name. The server fetches it and shows a copy. Needed to become public."
      />
      <WebUriField
        client={client}
        name="client_uri"
        label="Client URL"
        placeholder="https://app.example.com/"
        hint={
          homePageNote ??
          'The home page of the application. Its host is verified with a DNS record, so that people know whose application it is. Needed to become public.'
        }
      />
      <WebUriField
        client={client}
        name="policy_uri"
        label="Privacy policy"
        placeholder="https://example.com/privacy"
        hint="Linked where people decide: what becomes of what they share."
      />
      <WebUriField
        client={client}
        name="tos_uri"
        label="Terms of service"
        placeholder="https://example.com/terms"
        hint="Linked where people decide: what they agree to."
      />
    </>
  );
}
