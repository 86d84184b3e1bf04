import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from '../../../ui/icons.tsx';
import { type FormEvent, useId, useState } from 'react';
import type { Access } from '../../../api/accounts.ts';
import { gatewaysQuery } from '../../../api/gateways.ts';
import { oauthClientsQuery } from '../../../api/oauth-clients.ts';
import { tagTypesQuery } from '../../../api/tags.ts';
import { Button, type ButtonLook } from '../../../ui/button.tsx';
import { Actions, Dialog } from '../../../ui/dialog.tsx';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { useUnsavedInput } from '../../../ui/unsaved-input.ts';
import { labels } from '../labels.ts';
import { WORKER_VERSION, isOwnType, typeWords } from '../resource/resource-types.ts';

const MOST_ID_CHARACTERS = 512;

interface TagResourceButtonProps {
  access: Access;
  label?: string;
  look?: ButtonLook;
}

/** Leads to the page of a resource, tagged or not, where its tags are edited. */
export function TagResourceButton({
  access,
  label = labels.tagAResource,
  look = 'primary',
}: TagResourceButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button
        look={look}
        icon={<Plus aria-hidden className="size-4" />}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={labels.tagAResource}
        lead={labels.chooseTheResourceTheNext}
      >
        <ResourceForm access={access} onClose={close} />
      </Dialog>
    </>
  );
}

function ResourceForm({ access, onClose }: { access: Access; onClose: () => void }) {
  const { accountId } = access;
  const navigate = useNavigate();
  const [type, setType] = useState('oauth_client');
  const [id, setId] = useState('');
  const [worker, setWorker] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  useUnsavedInput(setIsChecked, (id !== '' && type !== 'account') || worker !== '');
  const hasWorker = type === WORKER_VERSION;
  const missing = (text: string, message: string): string | undefined =>
    isChecked && text.trim() === '' ? message : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsChecked(true);
    if (id.trim() === '' || (hasWorker && worker.trim() === '')) return;
    onClose();
    void navigate({
      to: '/accounts/$accountId/tags/$resourceType/$resourceId',
      params: { accountId, resourceType: type, resourceId: id.trim() },
      search: hasWorker ? { worker: worker.trim() } : {},
    });
  };
  const choose = (next: string): void => {
    setType(next);
    // There is but one.
    setId(next === 'account' ? accountId : '');
  };
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <TypeField accountId={accountId} type={type} onChoose={choose} />
      <IdField
        access={access}
        type={type}
        value={id}
        error={missing(id, labels.chooseAResource)}
        onChange={setId}
      />
      {hasWorker && (
        <Field
          label={labels.workerId}
          hint={labels.aVersionIsIdentifiedTogether}
          error={missing(worker, labels.enterTheWorkerId)}
        >
          <Input
            value={worker}
            maxLength={MOST_ID_CHARACTERS}
            onChange={(event) => setWorker(event.target.value)}
          />
        </Field>
      )}
      <Actions>
        <Button onClick={onClose}>{labels.cancel}</Button>
        <Button type="submit" look="primary">
          {labels.continueToTags}
        </Button>
      </Actions>
    </form>
  );
}

interface TypeFieldProps {
  accountId: string;
  type: string;
  onChoose: (type: string) => void;
}

function TypeField({ accountId, type, onChoose }: TypeFieldProps) {
  const { data: types = [] } = useQuery(tagTypesQuery(accountId));
  const groups = [
    { title: labels.onThisServer, isOwn: true },
    { title: labels.external, isOwn: false },
  ];
  return (
    <Field label={labels.type}>
      <Select value={type} onChange={(event) => onChoose(event.target.value)}>
        {groups.map(({ title, isOwn }) => (
          <optgroup key={title} label={title}>
            {types
              .filter(({ type: name }) => isOwnType(name) === isOwn)
              .map(({ type: name }) => (
                <option key={name} value={name}>
                  {typeWords(name)}
                </option>
              ))}
          </optgroup>
        ))}
      </Select>
    </Field>
  );
}

interface IdFieldProps {
  access: Access;
  type: string;
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}

/** The ID of a resource; the names of those that the person can see help to find it. */
function IdField({ access, type, value, error, onChange }: IdFieldProps) {
  const list = useId();
  const known = useKnownResources(access, type);
  const hint = isOwnType(type) ? labels.theResourceMustExist : labels.resourcesOfThisType;
  return (
    <Field label={labels.id} error={error} hint={hint}>
      <Input
        list={list}
        value={value}
        maxLength={MOST_ID_CHARACTERS}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {known.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
    </Field>
  );
}

function useKnownResources(access: Access, type: string): { id: string; name: string }[] {
  const { data: clients = [] } = useQuery({
    ...oauthClientsQuery(access.accountId),
    enabled: type === 'oauth_client' && access.can('oauth-clients.read'),
  });
  const { data: gateways = [] } = useQuery({
    ...gatewaysQuery(access.accountId),
    enabled: type === 'ai_gateway' && access.can('ai-gateway.read'),
  });
  switch (type) {
    case 'oauth_client':
      return clients.map(({ client_id: id, client_name: name }) => ({ id, name }));
    case 'ai_gateway':
      return gateways.map(({ id }) => ({ id, name: id }));
    default:
      return [];
  }
}
