import { Ban, CircleCheck, Pencil, Route, Trash2 } from '../../ui/icons.tsx';
import { CUSTOM_PREFIX, type CustomProvider } from '../../api/custom-providers.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { MenuItem, MenuLine, RowMenu } from '../../ui/menu.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { labels } from './labels.ts';

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
      caption={labels.customProviders}
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
    { title: labels.provider, cell: (provider) => <Name provider={provider} /> },
    {
      title: labels.modelPrefix,
      cell: ({ slug }) => (
        <span className="block md:min-w-48">
          <CopyText text={CUSTOM_PREFIX + slug} label={labels.copy(CUSTOM_PREFIX, slug)} />
        </span>
      ),
    },
    {
      title: labels.baseUrl,
      cell: ({ base_url: url }) => (
        <code className="block font-mono text-sm break-all text-muted md:min-w-52">{url}</code>
      ),
    },
    {
      title: labels.status,
      cell: ({ enable }) =>
        enable ? <Badge tone="good">{labels.enabled}</Badge> : <Badge>{labels.disabled}</Badge>,
    },
    {
      title: labels.changedColumn,
      cell: ({ modified_at: modifiedAt }) => (
        <span className="whitespace-nowrap text-muted">
          <Time value={modifiedAt} />
        </span>
      ),
    },
    {
      title: labels.actions,
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
        {beta && <Badge tone="info">{labels.beta}</Badge>}
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
    <RowMenu label={labels.actionsFor(provider.name)}>
      <MenuItem icon={<Route aria-hidden />} {...item('reach')}>
        {labels.viewUsage}
      </MenuItem>
      {mayWrite && (
        <>
          <MenuItem icon={<Pencil aria-hidden />} {...item('edit')}>
            {labels.edit}
          </MenuItem>
          {provider.enable ? (
            <MenuItem icon={<Ban aria-hidden />} {...item('disable')}>
              {labels.disableAction}
            </MenuItem>
          ) : (
            <MenuItem icon={<CircleCheck aria-hidden />} {...item('enable')}>
              {labels.enable}
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} isDangerous {...item('delete')}>
            {labels.deleteAction}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
