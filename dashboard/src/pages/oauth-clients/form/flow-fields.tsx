import { Check, Field, Fieldset, Select } from '../../../ui/field.tsx';
import type { ClientValues } from './client-values.ts';
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
          legend="How the secret is sent"
          error={client.faultAt('token_endpoint_auth_method')?.reason}
        >
          <div className="space-y-2">
            <AuthMethod
              client={client}
              value="client_secret_basic"
              label="In the Authorization header"
              hint="client_secret_basic. What libraries do unless they are told otherwise."
            />
            <AuthMethod
              client={client}
              value="client_secret_post"
              label="In the body of the request"
              hint="client_secret_post. For libraries that cannot send the header."
            />
          </div>
        </Fieldset>
      )}
      <Fieldset legend="Refresh tokens" error={client.faultAt('grant_types')?.reason}>
        <Check
          label="The application goes on while the person is away"
          hint="An access token ends after an hour. With this, the application gets the next one by itself, until nobody has used it for 30 days or the person takes the consent back. Adds the scope offline_access."
          checked={values.grant_types.includes('refresh_token')}
          onChange={(event) =>
            client.set('grant_types', event.target.checked ? GRANTS : GRANTS.slice(0, 1))
          }
        />
      </Fieldset>
      <Field
        label="Signature of ID tokens"
        error={client.faultAt('id_token_signed_response_alg')?.reason}
        hint="ES256 is smaller and faster. RS256 is for libraries that know nothing else."
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
          <option>ES256</option>
          <option>RS256</option>
        </Select>
      </Field>
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
