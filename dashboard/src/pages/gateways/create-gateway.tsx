import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useWatch } from 'react-hook-form';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { refreshGatewayList } from '../../api/gateway-changes.ts';
import { createGateway, gatewayQuery, gatewaysQuery } from '../../api/gateways.ts';
import { gatewayUrl } from '../../lib/site.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Check, Field, Fieldset, Input } from '../../ui/field.tsx';
import { type ApiForm, useApiForm } from '../../ui/form.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { SaveFailure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReadOnly } from '../role-needed.tsx';

const LIST = '/accounts/$accountId/ai-gateway/gateways';
const MAX_ID_LENGTH = 64;

interface NewGatewayFields {
  id: string;
  authentication: 'on' | 'off';
  collect_logs: boolean;
}

/** Makes an AI gateway. */
export function CreateGateway() {
  const access = useAccountOfPage();
  const { accountId } = access;
  return (
    <Page
      title="Create gateway"
      lead="All it needs is a name. The other settings have defaults, and you can change them at any time."
      isNarrow
      back={{ label: 'Gateways', to: LIST, params: { accountId } }}
    >
      {access.can('ai-gateway.write') ? (
        <CreateForm access={access} />
      ) : (
        <ReadOnly access={access} permission="ai-gateway.write" deed="create gateways" />
      )}
    </Page>
  );
}

/** Why something cannot be the name of a gateway, while it is typed; undefined when it can. */
function faultOfGatewayId(id: string, taken: readonly string[] = []): string | undefined {
  if (id === '') return undefined;
  if (/[A-Z]/.test(id)) return 'Lower-case letters only.';
  if (/\s/.test(id)) return 'No spaces: use - or _ instead.';
  if (!/^[a-z0-9_-]+$/.test(id)) return 'Only a to z, 0 to 9, - and _.';
  if (id.length > MAX_ID_LENGTH) return `At most ${MAX_ID_LENGTH} characters.`;
  if (taken.includes(id)) return 'There is a gateway of this name already.';
  return undefined;
}

function useCreateForm(accountId: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useApiForm<NewGatewayFields>({
    values: { id: '', authentication: 'on', collect_logs: true },
    save: async ({ id, authentication, collect_logs }, idempotencyKey) => {
      const body = {
        id,
        authentication: authentication === 'on',
        collect_logs,
        cache_ttl: null,
        cache_invalidate_on_update: true,
        rate_limiting_interval: null,
        rate_limiting_limit: null,
      };
      const gateway = await createGateway(accountId, body, idempotencyKey);
      queryClient.setQueryData(gatewayQuery(accountId, id).queryKey, gateway);
      void refreshGatewayList(accountId);
      await navigate({ to: `${LIST}/$gatewayId`, params: { accountId, gatewayId: id } });
      toast(`${id} is ready for requests`);
    },
  });
}

function CreateForm({ access: { accountId } }: { access: Access }) {
  const form = useCreateForm(accountId);
  const { control, register } = form;
  const authentication = useWatch({ control, name: 'authentication' });
  return (
    <form onSubmit={form.submit} noValidate className="space-y-6">
      {form.guard}
      <Card>
        <div className="space-y-5">
          <NameField form={form} accountId={accountId} />
          <Fieldset legend="Who may send requests">
            <div className="space-y-3">
              <Check
                type="radio"
                value="on"
                label="Only callers with a token (Authenticated Gateway)"
                hint="Each request has to carry an API token that may run models here. You create one on the next page."
                {...register('authentication')}
              />
              <Check
                type="radio"
                value="off"
                label="Anybody who can reach this server"
                hint={
                  authentication === 'off'
                    ? 'For programs that do not send a token yet. The next page shows how to make it safe, step by step.'
                    : 'For programs that do not send a token yet.'
                }
                {...register('authentication')}
              />
            </div>
          </Fieldset>
          <Fieldset legend="Logs">
            <Check
              label="Keep a log of each request"
              hint="Model, tokens, cost, times, and what was asked and answered. Today’s figures and the analytics are made from it."
              {...register('collect_logs')}
            />
          </Fieldset>
        </div>
      </Card>
      <Defaults />
      <SaveFailure error={form.failure} />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton to={LIST} params={{ accountId }}>
          Cancel
        </LinkButton>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          Create gateway
        </Button>
      </div>
    </form>
  );
}

interface NameFieldProps {
  form: ApiForm<NewGatewayFields>;
  accountId: string;
}

/** The id of the gateway, judged while it is typed. */
function NameField({ form, accountId }: NameFieldProps) {
  const { control, register, formState } = form;
  const { data: gateways = [] } = useQuery(gatewaysQuery(accountId));
  const id = useWatch({ control, name: 'id' });
  const taken = gateways.map((gateway) => gateway.id);
  // What the API has refused stays until it is changed.
  const fault = formState.errors.id?.message ?? faultOfGatewayId(id, taken);
  return (
    <Field
      label="Name"
      error={fault}
      hint={
        <>
          Part of every address of the gateway; it cannot be changed later. Lower-case letters,
          digits, <code>-</code> and <code>_</code>, such as <code>production</code>.
          <code className="mt-1.5 block font-mono text-xs break-all">
            {`${gatewayUrl}/v1/${accountId}/`}
            <span className="text-text">{id === '' ? '…' : id}</span>
          </code>
        </>
      }
    >
      <Input
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono"
        {...register('id', {
          required: 'A gateway needs a name.',
          validate: (value) => faultOfGatewayId(value, taken) ?? true,
        })}
      />
    </Field>
  );
}

/** What the gateway begins with. */
function Defaults() {
  return (
    <Card
      title="Its other settings"
      lead="You can change all of them later, on the settings page of the gateway."
    >
      <Facts>
        <Fact name="Cache">Off: each request goes to the provider.</Fact>
        <Fact name="Rate limit">None.</Fact>
        <Fact name="Spend limits">None: the cost is counted, not limited.</Fact>
        <Fact name="Retries">None: when a provider fails, the caller gets the error.</Fact>
        <Fact name="Log rows">No limit: each is kept for as long as this server keeps logs.</Fact>
        <Fact name="Provider keys">The server’s own, if its operator has set any.</Fact>
      </Facts>
    </Card>
  );
}
