import { useQuery } from '@tanstack/react-query';
import { Plus } from '../../ui/icons.tsx';
import { useState } from 'react';
import { gatewaysQuery } from '../../api/gateways.ts';
import { Button } from '../../ui/button.tsx';
import { Check, Field, Input } from '../../ui/field.tsx';
import { labels } from './labels.ts';
import { GATEWAY_ID, gatewayResource } from './resources.ts';
import type { NameableAccount } from './token-home.tsx';

/** The gateways of an account, as far as the person can see them. */
export function useGatewayIds(account: NameableAccount | undefined): readonly string[] {
  const { data } = useQuery({
    ...gatewaysQuery(account?.id ?? ''),
    select: (gateways) => gateways.map(({ id }) => id),
    enabled: account?.holds('ai-gateway.read') === true,
  });
  return data ?? [];
}

interface GatewayPickerProps {
  account: NameableAccount;
  /** Names of resources. */
  chosen: readonly string[];
  onToggle: (name: string) => void;
}

/** Gateways of one account to choose from; those that are not on the list can be typed. */
export function GatewayPicker({ account, chosen, onToggle }: GatewayPickerProps) {
  const ids = useGatewayIds(account);
  return (
    <div className="space-y-3">
      {ids.length > 0 && (
        <div
          role="group"
          aria-label={labels.aiGateways}
          className="grid max-h-52 gap-x-4 gap-y-2 overflow-y-auto rounded-lg border border-line p-3 sm:grid-cols-2"
        >
          {ids.map((id) => {
            const name = gatewayResource(account.id, id);
            return (
              <Check
                key={id}
                label={<span className="wrap-anywhere">{id}</span>}
                checked={chosen.includes(name)}
                onChange={() => onToggle(name)}
              />
            );
          })}
        </div>
      )}
      <OtherGateway
        hasList={ids.length > 0}
        onAdd={(id) => {
          const name = gatewayResource(account.id, id);
          if (!chosen.includes(name)) onToggle(name);
        }}
      />
    </div>
  );
}

interface OtherGatewayProps {
  hasList: boolean;
  onAdd: (id: string) => void;
}

function OtherGateway({ hasList, onAdd }: OtherGatewayProps) {
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const add = (): void => {
    const id = typed.trim();
    if (GATEWAY_ID.test(id)) {
      onAdd(id);
      setTyped('');
    }
    setError(GATEWAY_ID.test(id) ? undefined : labels.gatewayIdsContainLowercaseLetters);
  };
  return (
    <div className="flex items-start gap-2">
      <Field
        label={hasList ? labels.anotherGateway : labels.gatewayId}
        error={error}
        hint={hasList ? undefined : labels.youCantSeeAnyGateways}
        className="min-w-0 flex-1"
      >
        <Input
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      </Field>
      <Button className="mt-7" icon={<Plus aria-hidden className="size-4" />} onClick={add}>
        {labels.add}
      </Button>
    </div>
  );
}
