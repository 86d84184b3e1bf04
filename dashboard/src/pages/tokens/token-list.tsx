import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Ban, CircleCheck, KeyRound, Pencil, Plus, RefreshCw, Trash2 } from '../../ui/icons.tsx';
import { useEffect, useState } from 'react';
import { type ApiToken, type TokenListQuery, tokensQuery } from '../../api/tokens.ts';
import { counted } from '../../lib/counted.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Check, Select } from '../../ui/field.tsx';
import { MenuItem, MenuLine, RowMenu } from '../../ui/menu.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { labels } from './labels.ts';
import { type Deed, TokenDeeds, switchOf } from './token-deeds.tsx';
import { type TokenHome, useTokenHome } from './token-home.tsx';
import { ReadOnlyTokens, UnseenTokens } from './token-rights.tsx';
import type { TokenSearch } from './token-search.ts';
import { TokenState } from './token-state.tsx';
import { describeShortly } from './token-words.ts';

const LEADS = {
  account: labels.programsOfThisAccountCall,
  user: labels.aPersonalTokenLets,
} as const;

/** The tokens of an account or of the person. */
export function TokenList() {
  const home = useTokenHome();
  return (
    <Page
      title={home.owner.kind === 'user' ? labels.yourApiTokens : labels.apiTokens}
      lead={LEADS[home.owner.kind]}
      actions={home.mayWrite && <CreateButton home={home} />}
    >
      {home.mayRead ? <TokenTable /> : <UnseenTokens />}
    </Page>
  );
}

function CreateButton({ home }: { home: TokenHome }) {
  return (
    <LinkButton {...home.create} look="primary" icon={<Plus aria-hidden className="size-4" />}>
      {labels.createToken}
    </LinkButton>
  );
}

/** What part of the list is looked at: kept in the address, so that the way back leads to it. */
function useListQuery(): [TokenListQuery, (change: Partial<TokenListQuery>) => void] {
  const search: TokenSearch = useSearch({ strict: false });
  const home = useTokenHome();
  const navigate = useNavigate();
  const query: TokenListQuery = {
    page: search.page ?? 1,
    direction: search.order === 'oldest' ? 'asc' : 'desc',
    hasExpired: search.expired === 'shown',
  };
  const change = (some: Partial<TokenListQuery>): void => {
    const next = { ...query, page: 1, ...some };
    const params: TokenSearch = {
      ...(next.page > 1 && { page: next.page }),
      ...(next.direction === 'asc' && { order: 'oldest' }),
      ...(next.hasExpired && { expired: 'shown' }),
    };
    void navigate({ ...home.list, search: params, replace: true, resetScroll: false });
  };
  return [query, change];
}

function TokenTable() {
  const home = useTokenHome();
  const [query, change] = useListQuery();
  const { data } = useSuspenseQuery(tokensQuery(home.owner, query));
  const [asked, setAsked] = useState<{ token: ApiToken; deed: Deed | undefined }>();
  const { result: tokens, result_info: info } = data;
  const isPastEnd = query.page > 1 && tokens.length === 0;
  useEffect(() => {
    // The last token of the last page was deleted.
    if (isPastEnd) change({ page: Math.max(1, info.total_pages) });
  });
  const isEmpty = tokens.length === 0 && query.page === 1;
  const ask = (token: ApiToken, deed: Deed): void => setAsked({ token, deed });
  return (
    <div className="space-y-4">
      {!home.mayWrite && <ReadOnlyTokens />}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Check
          label={labels.showExpiredTokens}
          checked={query.hasExpired}
          onChange={(event) => change({ hasExpired: event.target.checked })}
        />
        <Select
          aria-label={labels.order}
          className="w-40"
          value={query.direction}
          onChange={(event) => change({ direction: event.target.value === 'asc' ? 'asc' : 'desc' })}
        >
          <option value="desc">{labels.newestFirst}</option>
          <option value="asc">{labels.oldestFirst}</option>
        </Select>
      </div>
      <Card isFlush>
        {isEmpty ? (
          <NoTokens home={home} hasExpired={query.hasExpired} />
        ) : (
          <Table
            caption={labels.apiTokens}
            columns={columnsOf(home, ask)}
            rows={tokens}
            keyOf={({ id }) => id}
          />
        )}
      </Card>
      <Pager
        page={info.page}
        totalPages={info.total_pages}
        count={counted(info.total_count, 'token')}
        onPage={(page) => change({ page })}
      />
      <TokenDeeds
        token={asked?.token}
        deed={asked?.deed}
        // The token stays for the value that a roll brings.
        onClose={() => asked !== undefined && setAsked({ ...asked, deed: undefined })}
      />
    </div>
  );
}

function NoTokens({ home, hasExpired }: { home: TokenHome; hasExpired: boolean }) {
  return (
    <Empty
      icon={<KeyRound />}
      title={hasExpired ? labels.noTokensYet : labels.noValidTokens}
      actions={home.mayWrite && <CreateButton home={home} />}
    >
      {home.owner.kind === 'account' ? labels.aTokenLetsAServer : labels.aPersonalTokenLetsA}
    </Empty>
  );
}

function columnsOf(
  home: TokenHome,
  ask: (token: ApiToken, deed: Deed) => void,
): Column<ApiToken>[] {
  return [
    {
      title: labels.name,
      cell: (token) => (
        <Link {...home.one(token.id)} className="font-medium text-text hover:underline">
          {token.name}
        </Link>
      ),
    },
    { title: labels.state, cell: (token) => <TokenState token={token} /> },
    {
      title: labels.permissions,
      cell: (token) => <span className="text-sm">{describeShortly(token, home)}</span>,
    },
    {
      title: labels.lastUsed,
      cell: ({ last_used_on: lastUsed }) => (
        <TimeOr value={lastUsed} otherwise={labels.neverUsed} />
      ),
    },
    {
      title: labels.expires,
      cell: ({ expires_on: expires }) => <TimeOr value={expires} otherwise={labels.never} />,
    },
    {
      title: labels.actions,
      isTitleHidden: true,
      isAtEnd: true,
      cell: (token) => <TokenMenu token={token} home={home} ask={ask} />,
    },
  ];
}

function TimeOr({ value, otherwise }: { value: string | undefined; otherwise: string }) {
  return (
    <span className="whitespace-nowrap text-muted">
      {value === undefined ? otherwise : <Time value={value} />}
    </span>
  );
}

interface TokenMenuProps {
  token: ApiToken;
  home: TokenHome;
  ask: (token: ApiToken, deed: Deed) => void;
}

function TokenMenu({ token, home, ask }: TokenMenuProps) {
  const navigate = useNavigate();
  const toSwitch = switchOf(token);
  if (!home.mayWrite) return null;
  return (
    <RowMenu label={labels.actionsFor(token.name)}>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => void navigate(home.one(token.id))}>
        {labels.edit}
      </MenuItem>
      <MenuItem icon={<RefreshCw aria-hidden />} onSelect={() => ask(token, 'roll')}>
        {labels.roll}
      </MenuItem>
      {toSwitch === 'disable' && (
        <MenuItem icon={<Ban aria-hidden />} onSelect={() => ask(token, 'disable')}>
          {labels.disable}
        </MenuItem>
      )}
      {toSwitch === 'enable' && (
        <MenuItem icon={<CircleCheck aria-hidden />} onSelect={() => ask(token, 'enable')}>
          {labels.enable}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => ask(token, 'delete')}>
        {labels.delete}
      </MenuItem>
    </RowMenu>
  );
}
