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
import { labels } from './labels.ts';

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
      title={labels.createGateway}
      lead={labels.onlyTheNameIsRequired}
      isNarrow
      back={{ label: labels.gateways, to: LIST, params: { accountId } }}
    >
      {access.can('ai-gateway.write') ? (
        <CreateForm access={access} />
      ) : (
        <ReadOnly access={access} permission="ai-gateway.write" deed={labels.createAction} />
      )}
    </Page>
  );
}

/** Why something cannot be the name of a gateway, while it is typed; undefined when it can. */
function faultOfGatewayId(id: string, taken: readonly string[] = []): string | undefined {
  if (id === '') return undefined;
  if (/[A-Z]/.test(id)) return labels.lowercaseLetters;
  if (/\s/.test(id)) return labels.namesCantContainSpacesUse;
  if (!/^[a-z0-9_-]+$/.test(id)) return labels.allowedCharacters;
  if (id.length > MAX_ID_LENGTH) return labels.atMostCharacters(MAX_ID_LENGTH);
  if (taken.includes(id)) return labels.aGatewayWithThisName;
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
      toast(labels.created(id));
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
          <Fieldset legend={labels.access}>
            <div className="space-y-3">
              <Check
                type="radio"
                value="on"
                label={labels.onlyClientsWithAToken}
                hint={labels.eachRequestNeedsAnApi}
                {...register('authentication')}
              />
              <Check
                type="radio"
                value="off"
                label={labels.anyClientThatCanReach}
                hint={
                  authentication === 'off'
                    ? labels.forProgramsThatDontSend
                    : labels.forProgramsThatDontSendA
                }
                {...register('authentication')}
              />
            </div>
          </Fieldset>
          <Fieldset legend={labels.logs}>
            <Check
              label={labels.logEachRequest}
              hint={labels.modelTokensCostTimingsRequest}
              {...register('collect_logs')}
            />
          </Fieldset>
        </div>
      </Card>
      <Defaults />
      <SaveFailure error={form.failure} />
      <div className="flex flex-wrap justify-end gap-2">
        <LinkButton to={LIST} params={{ accountId }}>
          {labels.cancel}
        </LinkButton>
        <Button type="submit" look="primary" isBusy={form.isSaving}>
          {labels.createGateway}
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
      label={labels.name}
      error={fault}
      hint={
        <>
          Part of every URL of the gateway. You can't change it later. Use lowercase letters,
          digits, <code>-</code> and <code>_</code>, for example <code>production</code>.
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
          required: labels.enterAName,
          validate: (value) => faultOfGatewayId(value, taken) ?? true,
        })}
      />
    </Field>
  );
}

/** What the gateway begins with. */
function Defaults() {
  return (
    <Card title={labels.otherSettings} lead={labels.youCanChangeAll}>
      <Facts>
        <Fact name={labels.cache}>{labels.offEachRequestGoes}</Fact>
        <Fact name={labels.rateLimit}>{labels.none}</Fact>
        <Fact name={labels.spendLimits}>{labels.noneCostIsCountedBut}</Fact>
        <Fact name={labels.retries}>{labels.noneTheClientReceives}</Fact>
        <Fact name={labels.logs}>{labels.noLimitLogsAreKept}</Fact>
        <Fact name={labels.providerKeys}>{labels.keysOfTheServerOperator}</Fact>
      </Facts>
    </Card>
  );
}
