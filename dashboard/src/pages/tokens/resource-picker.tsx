import { X } from '../../ui/icons.tsx';
import { type Ref, useId, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Check, Field, Fieldset, Select } from '../../ui/field.tsx';
import { GatewayPicker, useGatewayIds } from './gateway-picker.tsx';
import { labels } from './labels.ts';
import { accountResource, gatewayResource } from './resources.ts';
import type { Reach } from './token-draft.ts';
import { type TokenHome, useTokenHome } from './token-home.tsx';
import { capitalize, describeResource } from './token-words.ts';

interface Choice {
  reach: Reach;
  label: string;
  hint?: string;
}

const OF_ACCOUNT: readonly Choice[] = [
  { reach: 'whole', label: labels.theWholeAccount },
  { reach: 'chosen', label: labels.onlySomeAiGateways },
];

const OF_PERSON: readonly Choice[] = [
  {
    reach: 'whole',
    label: labels.allYourAccounts,
    hint: labels.includesAccountsThatYouJoin,
  },
  { reach: 'chosen', label: labels.onlySomeAccountsOrAi },
  { reach: 'self', label: labels.onlyYourOwnData, hint: labels.yourProfileMembershipsAndTokens },
];

interface ResourcePickerProps {
  reach: Reach;
  /** Names of resources. */
  names: readonly string[];
  error: string | undefined;
  onReach: (reach: Reach) => void;
  onNames: (names: string[]) => void;
  /** Where the focus goes when something is wrong. */
  ref: Ref<HTMLInputElement>;
}

/** What a policy is about. */
export function ResourcePicker(props: ResourcePickerProps) {
  const { reach, names, error, onReach, onNames, ref } = props;
  const { owner } = useTokenHome();
  // One group, through which the arrow keys lead.
  const group = useId();
  const choices = owner.kind === 'account' ? OF_ACCOUNT : OF_PERSON;
  return (
    <Fieldset legend={labels.resources} error={error}>
      <div className="space-y-2">
        {choices.map((choice) => (
          <Check
            key={choice.reach}
            type="radio"
            name={group}
            ref={choice.reach === reach ? ref : undefined}
            label={choice.label}
            hint={choice.hint}
            checked={reach === choice.reach}
            onChange={() => onReach(choice.reach)}
          />
        ))}
      </div>
      {reach === 'chosen' && <ChosenResources names={names} onNames={onNames} />}
    </Fieldset>
  );
}

type ChosenProps = Pick<ResourcePickerProps, 'names' | 'onNames'>;

function ChosenResources({ names, onNames }: ChosenProps) {
  const home = useTokenHome();
  const [accountId, setAccountId] = useState(home.accounts[0]?.id);
  const account = home.accounts.find(({ id }) => id === accountId);
  const toggle = (name: string): void => {
    onNames(names.includes(name) ? names.filter((other) => other !== name) : [...names, name]);
  };
  const ids = useGatewayIds(account);
  const isOfPerson = home.owner.kind === 'user';
  const boxes = new Set([
    ...ids.map((id) => gatewayResource(accountId ?? '', id)),
    ...(isOfPerson ? home.accounts.map(({ id }) => accountResource(id)) : []),
  ]);
  return (
    <div className="mt-3 ml-6.5 space-y-3">
      {isOfPerson && <AccountBoxes home={home} names={names} onToggle={toggle} />}
      {isOfPerson && home.accounts.length > 1 && (
        <Field label={labels.aiGatewaysOf}>
          <Select value={accountId} onChange={(event) => setAccountId(event.target.value)}>
            {home.accounts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {account !== undefined && (
        <GatewayPicker account={account} chosen={names} onToggle={toggle} />
      )}
      <Others names={names.filter((name) => !boxes.has(name))} home={home} onRemove={toggle} />
    </div>
  );
}

interface AccountBoxesProps {
  home: TokenHome;
  names: readonly string[];
  onToggle: (name: string) => void;
}

function AccountBoxes({ home, names, onToggle }: AccountBoxesProps) {
  return (
    <div role="group" aria-label={labels.accounts} className="space-y-2">
      {home.accounts.map(({ id, name }) => (
        <Check
          key={id}
          label={<span className="wrap-anywhere">{name}</span>}
          checked={names.includes(accountResource(id))}
          onChange={() => onToggle(accountResource(id))}
        />
      ))}
    </div>
  );
}

interface OthersProps {
  names: readonly string[];
  home: TokenHome;
  onRemove: (name: string) => void;
}

/** What has no box of its own: typed, or out of sight. */
function Others({ names, home, onRemove }: OthersProps) {
  if (names.length === 0) return null;
  return (
    <ul aria-label={labels.selected} className="space-y-1.5">
      {names.map((name) => (
        <li
          key={name}
          className="flex items-center justify-between gap-2 rounded-lg border border-line bg-sunken py-0.5 pr-1 pl-3 text-sm"
        >
          <span className="min-w-0 wrap-anywhere">
            {capitalize(describeResource(name, home).replace(/^the /, ''))}
          </span>
          <IconButton
            label={labels.remove(describeResource(name, home))}
            icon={<X aria-hidden className="size-4" />}
            className="size-8"
            onClick={() => onRemove(name)}
          />
        </li>
      ))}
    </ul>
  );
}
