import { keepWhileComposing } from '../ui/composition.ts';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { Command, defaultFilter, useCommandState } from 'cmdk';
import { AppWindow, Building2, type Icon } from '../ui/icons.tsx';
import { Dialog } from 'radix-ui';
import { type ReactNode, createContext, use, useRef } from 'react';
import { useAccess } from '../api/accounts.ts';
import { oauthClientsQuery } from '../api/oauth-clients.ts';
import { membershipsQuery } from '../api/people.ts';
import { actionsOf, commands, profilePlaces } from './commands.ts';
import { visibleGroups } from './navigation.ts';

interface PaletteProps {
  accountId: string | undefined;
  onClose: () => void;
}

interface PaletteDeeds {
  /** Closes the palette and goes to a page. */
  go: (to: NavigateOptions) => void;
  /** Closes the palette and does something. */
  run: (deed: () => void) => void;
}

const PaletteContext = createContext<PaletteDeeds>({ go: () => undefined, run: () => undefined });

/** Goes anywhere and begins anything by typing a few letters of it. */
export function CommandPalette({ accountId, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const isLeaving = useRef(false);
  const deeds: PaletteDeeds = {
    go: (to) => {
      isLeaving.current = true;
      onClose();
      void navigate(to);
    },
    run: (deed) => {
      onClose();
      deed();
    },
  };
  const placeFocus = (event: Event): void => {
    // This comes a moment later: what has opened meanwhile keeps the focus.
    const isTaken = document.activeElement?.closest('[role=dialog]') !== null;
    if (!isTaken && !isLeaving.current) return;
    event.preventDefault();
    if (!isTaken) document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-scrim" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={placeFocus}
          onEscapeKeyDown={keepWhileComposing}
          className="float-in fixed inset-x-3 top-[12svh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <PaletteContext value={deeds}>
            <Search accountId={accountId} />
          </PaletteContext>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

// Letters that are found scattered over many words are no hit.
const LEAST_LIKENESS = 0.1;

/** How well something is called what is searched: every word of it, in any order. */
function likeness(value: string, search: string, keywords?: string[]): number {
  const words = search.split(' ').filter((word) => word !== '');
  const score = Math.min(1, ...words.map((word) => defaultFilter(value, word, keywords)));
  return score < LEAST_LIKENESS ? 0 : score;
}

function Search({ accountId }: { accountId: string | undefined }) {
  return (
    <Command label="Search and commands" filter={likeness} loop>
      {/* The dialog gives it the focus, and so knows where that was before. */}
      <Command.Input
        placeholder="Go to a page or run a command"
        className="w-full border-b border-line bg-transparent px-4 py-3.5 outline-none"
      />
      <FoundCount />
      <Command.List
        label="Search results"
        className="max-h-[min(24rem,60svh)] scroll-py-2 overflow-y-auto p-2"
      >
        {accountId !== undefined && <InAccount accountId={accountId} />}
        <OtherAccounts accountId={accountId} />
        <Group heading="You">
          {profilePlaces.map(({ to, label, icon, words }) => (
            <Item key={to} label={label} words={words} icon={icon} to={{ to }} />
          ))}
          {commands.map(({ label, words, icon, run }) => (
            <Item key={label} label={label} words={words} icon={icon} run={run} />
          ))}
        </Group>
      </Command.List>
      {/* Not in the list, which may hold nothing but what can be chosen (WAI-ARIA, listbox). */}
      <Command.Empty className="px-3 pt-4 pb-8 text-center text-muted">No results.</Command.Empty>
    </Command>
  );
}

/** Tells who does not see the list how much of it is left. */
function FoundCount() {
  const search = useCommandState(({ search: text }) => text);
  const count = useCommandState(({ filtered }) => filtered.count);
  const told = count === 1 ? '1 result' : `${count} results`;
  return (
    <p role="status" className="sr-only">
      {search === '' ? '' : told}
    </p>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  label: string;
  /** Tells it from others that are called the same. */
  id?: string;
  /** Other words that it is found by. */
  words?: string | undefined;
  icon: Icon;
  /** Where it leads to, or else what it does. */
  to?: NavigateOptions;
  run?: () => void;
}

function Item({ label, id, words, icon: Icon, to, run }: ItemProps) {
  const deeds = use(PaletteContext);
  return (
    <Command.Item
      value={id === undefined ? label : `${label} ${id}`}
      keywords={words === undefined ? [] : words.split(' ')}
      onSelect={() => {
        if (to !== undefined) deeds.go(to);
        if (run !== undefined) deeds.run(run);
      }}
      className="flex cursor-pointer items-center gap-2.5 rounded-lg px-2.5 py-2 text-[0.9375rem] data-[selected=true]:bg-accent-soft data-[selected=true]:text-accent [&_svg]:size-4.5 [&_svg]:shrink-0"
    >
      <Icon aria-hidden />
      <span className="min-w-0 truncate">{label}</span>
    </Command.Item>
  );
}

/** The places, deeds and clients of one account, as far as they are the person's. */
function InAccount({ accountId }: { accountId: string }) {
  const access = useAccess(accountId);
  if (access === undefined) return null;
  const places = visibleGroups(access).flatMap((group) => group.places);
  const actions = actionsOf(access);
  const params = { accountId };
  return (
    <>
      <Group heading="Go to">
        {places.map(({ to, label, icon, words }) => (
          <Item key={to} label={label} words={words} icon={icon} to={{ to, params }} />
        ))}
      </Group>
      {actions.length > 0 && (
        <Group heading="Do">
          {actions.map(({ label, to, search, icon, words }) => (
            <Item
              key={label}
              label={label}
              words={words}
              icon={icon}
              to={{ to, params, ...(search && { search }) }}
            />
          ))}
        </Group>
      )}
      {access.can('oauth-clients.read') && <Clients accountId={accountId} />}
    </>
  );
}

// Without a word to look for, the list is to be taken in at a glance.
const RECENT_CLIENTS = 5;

/** The clients that were changed last; all of them as soon as something is typed. */
function Clients({ accountId }: { accountId: string }) {
  const { data: clients = [] } = useQuery(oauthClientsQuery(accountId));
  const isSearching = useCommandState(({ search }) => search !== '');
  if (clients.length === 0) return null;
  const recent = clients.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at));
  const shown = isSearching ? recent : recent.slice(0, RECENT_CLIENTS);
  return (
    <Group heading={isSearching ? 'OAuth clients' : 'Recently changed OAuth clients'}>
      {shown.map(({ client_id: clientId, client_name: name }) => (
        <Item
          key={clientId}
          label={name}
          id={clientId}
          icon={AppWindow}
          to={{
            to: '/accounts/$accountId/oauth-clients/$clientId',
            params: { accountId, clientId },
          }}
        />
      ))}
    </Group>
  );
}

function OtherAccounts({ accountId }: { accountId: string | undefined }) {
  const { data: memberships } = useSuspenseQuery(membershipsQuery);
  const others = memberships.filter(
    ({ account, status }) => status === 'accepted' && account.id !== accountId,
  );
  if (others.length === 0) return null;
  return (
    <Group heading="Accounts">
      {others.map(({ account }) => (
        <Item
          key={account.id}
          label={account.name}
          id={account.id}
          words="Switch account"
          icon={Building2}
          to={{ to: '/accounts/$accountId', params: { accountId: account.id } }}
        />
      ))}
    </Group>
  );
}
