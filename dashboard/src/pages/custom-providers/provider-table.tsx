import { Ban, CircleCheck, Pencil, Route, Trash2 } from 'lucide-react';
import { CUSTOM_PREFIX, type CustomProvider } from '../../api/custom-providers.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { MenuItem, MenuLine, RowMenu } from '../../ui/menu.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** What can be done with a provider. */
export type ProviderDeed = 'reach' | 'edit' | 'enable' | 'disable' | 'delete';

interface ProviderTableProps {
  providers: readonly CustomProvider[];
  mayWrite: boolean;
  onDeed: (provider: CustomProvider, deed: ProviderDeed) => void;
}

/** The providers that an account has added. */
export function ProviderTable({ providers, mayWrite, onDeed }: ProviderTableProps) {
  return (
    <Table
      caption="Custom providers"
      columns={columnsOf(mayWrite, onDeed)}
      rows={providers}
      keyOf={({ id }) => id}
    />
  );
}

function columnsOf(
  mayWrite: boolean,
  onDeed: ProviderTableProps['onDeed'],
): Column<CustomProvider>[] {
  return [
    { title: 'Provider', cell: (provider) => <Name provider={provider} /> },
    {
      title: 'In requests',
      cell: ({ slug }) => (
        <span className="block md:min-w-48">
          <CopyText text={CUSTOM_PREFIX + slug} label={`Copy ${CUSTOM_PREFIX}${slug}`} />
        </span>
      ),
    },
    {
      title: 'Base URL',
      cell: ({ base_url: url }) => (
        <code className="block font-mono text-sm break-all text-muted md:min-w-52">{url}</code>
      ),
    },
    {
      title: 'State',
      cell: ({ enable }) => (enable ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>),
    },
    {
      title: 'Changed',
      cell: ({ modified_at: modifiedAt }) => (
        <span className="whitespace-nowrap text-muted">
          <Time value={modifiedAt} />
        </span>
      ),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      isAtEnd: true,
      cell: (provider) => <ProviderMenu provider={provider} mayWrite={mayWrite} onDeed={onDeed} />,
    },
  ];
}

function Name({ provider: { name, description, link, beta } }: { provider: CustomProvider }) {
  // The server takes no other; a link must never run a script.
  const isWeb = link !== undefined && /^https?:\/\//i.test(link);
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
        <bdi className="font-medium wrap-anywhere">
          {isWeb ? (
            <a href={link} target="_blank" rel="noreferrer" className="underline">
              {name}
            </a>
          ) : (
            name
          )}
        </bdi>
        {beta && <Badge tone="info">Beta</Badge>}
      </span>
      {description !== undefined && (
        <bdi
          title={description}
          className="mt-0.5 line-clamp-2 text-sm font-normal wrap-anywhere text-muted"
        >
          {description}
        </bdi>
      )}
    </>
  );
}

interface ProviderMenuProps {
  provider: CustomProvider;
  mayWrite: boolean;
  onDeed: (provider: CustomProvider, deed: ProviderDeed) => void;
}

function ProviderMenu({ provider, mayWrite, onDeed }: ProviderMenuProps) {
  const item = (deed: ProviderDeed) => ({ onSelect: () => onDeed(provider, deed) });
  return (
    <RowMenu label={`Actions for ${provider.name}`}>
      <MenuItem icon={<Route aria-hidden />} {...item('reach')}>
        How to reach it
      </MenuItem>
      {mayWrite && (
        <>
          <MenuItem icon={<Pencil aria-hidden />} {...item('edit')}>
            Edit
          </MenuItem>
          {provider.enable ? (
            <MenuItem icon={<Ban aria-hidden />} {...item('disable')}>
              Switch off
            </MenuItem>
          ) : (
            <MenuItem icon={<CircleCheck aria-hidden />} {...item('enable')}>
              Switch on
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} isDangerous {...item('delete')}>
            Delete
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
