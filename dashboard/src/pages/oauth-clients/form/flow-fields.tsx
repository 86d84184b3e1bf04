import { Check, Field, Fieldset, Select } from '../../../ui/field.tsx';
import type { ClientValues } from './client-values.ts';
import { labels } from './labels.ts';
import type { ClientForm } from './use-client-form.ts';

interface FlowFieldsProps {
  client: ClientForm;
}

const GRANTS = ['authorization_code', 'refresh_token'];

/** How the application proves itself, and how long it goes on. */
export function FlowFields({ client }: FlowFieldsProps) {
  const { values } = client;
  const holdsSecret = values.token_endpoint_auth_method !== 'none';
  return (
    <>
      {holdsSecret && (
        <Fieldset
          legend={labels.clientAuthenticationMethod}
          error={client.faultAt('token_endpoint_auth_method')?.reason}
        >
          <div className="space-y-2">
            <AuthMethod
              client={client}
              value="client_secret_basic"
              label={labels.inTheAuthorizationHeader}
              hint="client_secret_basic. The default of most libraries."
            />
            <AuthMethod
              client={client}
              value="client_secret_post"
              label={labels.inTheRequestBody}
              hint="client_secret_post. For libraries that can't send the header."
            />
          </div>
        </Fieldset>
      )}
      <Fieldset legend={labels.refreshTokens} error={client.faultAt('grant_types')?.reason}>
        <Check
          label={labels.accessWhileTheUser}
          hint={labels.anAccessTokenExpiresAfter}
          checked={values.grant_types.includes('refresh_token')}
          onChange={(event) =>
            client.set('grant_types', event.target.checked ? GRANTS : GRANTS.slice(0, 1))
          }
        />
      </Fieldset>
      <Field
        label={labels.signatureOfIdTokens}
        error={client.faultAt('id_token_signed_response_alg')?.reason}
        hint={labels.es256IsSmallerAndFaster}
      >
        <Select
          className="max-w-52"
          value={values.id_token_signed_response_alg}
          onChange={(event) =>
            client.set(
              'id_token_signed_response_alg',
              event.target.value === 'RS256' ? 'RS256' : 'ES256',
            )
          }
        >
          <option>{labels.es256}</option>
          <option>{labels.rs256}</option>
        </Select>
      </Field>
      <Fieldset legend={labels.claimsOfIdTokens} error={client.faultAt('id_token_claims')?.reason}>
        <Check
          label={labels.includeUserClaims}
          hint={labels.mostLibrariesReadTheName}
          checked={values.id_token_claims}
          onChange={(event) => client.set('id_token_claims', event.target.checked)}
        />
      </Fieldset>
    </>
  );
}

interface AuthMethodProps extends FlowFieldsProps {
  value: ClientValues['token_endpoint_auth_method'];
  label: string;
  hint: string;
}

function AuthMethod({ client, value, label, hint }: AuthMethodProps) {
  return (
    <Check
      type="radio"
      name="token_endpoint_auth_method"
      label={label}
      hint={hint}
      checked={client.values.token_endpoint_auth_method === value}
      onChange={() => client.set('token_endpoint_auth_method', value)}
    />
  );
}
