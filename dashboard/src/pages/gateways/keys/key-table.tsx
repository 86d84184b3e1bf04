import { Pencil, Star, Trash2 } from '../../../ui/icons.tsx';
import type { CustomProvider } from '../../../api/custom-providers.ts';
import type { ProviderConfig } from '../../../api/provider-configs.ts';
import { Badge } from '../../../ui/badge.tsx';
import { MenuItem, MenuLine, RowMenu } from '../../../ui/menu.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { providerName, rateLimitWords } from './key-words.ts';
import { labels } from './labels.ts';

/** What can be done with a key. */
export interface KeyDeeds {
  onEdit: (config: ProviderConfig) => void;
  onMakeDefault: (config: ProviderConfig) => void;
  onDelete: (config: ProviderConfig) => void;
}

interface KeyTableProps {
  configs: readonly ProviderConfig[];
  own: readonly CustomProvider[];
  /** Undefined: the person may only look. */
  deeds: KeyDeeds | undefined;
}

/** The keys that a gateway keeps. */
export function KeyTable({ configs, own, deeds }: KeyTableProps) {
  return (
    <Table
      caption={labels.storedKeys}
      columns={columnsOf(own, deeds)}
      rows={configs}
      keyOf={({ id }) => id}
    />
  );
}

function columnsOf(
  own: readonly CustomProvider[],
  deeds: KeyDeeds | undefined,
): Column<ProviderConfig>[] {
  const columns: Column<ProviderConfig>[] = [
    { title: labels.provider, cell: (config) => <ProviderCell config={config} own={own} /> },
    {
      title: labels.alias,
      cell: ({ alias }) => <code className="font-mono text-sm wrap-anywhere">{alias}</code>,
    },
    {
      title: labels.key,
      cell: ({ secret_preview: preview }) => (
        <code className="font-mono text-sm whitespace-nowrap text-muted">{preview}</code>
      ),
    },
    {
      title: labels.selection,
      cell: ({ default_config: isDefault }) =>
        isDefault ? (
          <Badge tone="good">{labels.selectedByDefault}</Badge>
        ) : (
          <span className="text-sm whitespace-nowrap text-muted">{labels.byAlias}</span>
        ),
    },
    {
      title: labels.rateLimit,
      cell: (config) => (
        <span className="text-sm whitespace-nowrap text-muted">
          {rateLimitWords(config) ?? labels.none}
        </span>
      ),
    },
    {
      title: labels.changed,
      cell: ({ modified_at: modifiedAt }) => (
        <span className="whitespace-nowrap text-muted">
          <Time value={modifiedAt} />
        </span>
      ),
    },
  ];
  if (deeds === undefined) return columns;
  return [
    ...columns,
    {
      title: labels.actions,
      isTitleHidden: true,
      isAtEnd: true,
      cell: (config) => <KeyMenu config={config} deeds={deeds} />,
    },
  ];
}

function ProviderCell({ config, own }: { config: ProviderConfig; own: readonly CustomProvider[] }) {
  const { provider_slug: slug, origin } = config;
  const name = providerName(slug, own);
  return (
    <>
      <bdi className="font-medium">{name}</bdi>
      {name !== slug && <span className="block text-sm font-normal text-muted">{slug}</span>}
      {origin !== undefined && (
        <span className="block text-sm font-normal wrap-anywhere text-muted">
          only for {origin}
        </span>
      )}
    </>
  );
}

function KeyMenu({ config, deeds }: { config: ProviderConfig; deeds: KeyDeeds }) {
  const { alias, provider_slug: slug, default_config: isDefault } = config;
  return (
    <RowMenu label={labels.actionsForOf(alias, slug)}>
      <MenuItem icon={<Pencil aria-hidden />} onSelect={() => deeds.onEdit(config)}>
        {labels.editOrReplace}
      </MenuItem>
      {!isDefault && (
        <MenuItem icon={<Star aria-hidden />} onSelect={() => deeds.onMakeDefault(config)}>
          {labels.makeDefault}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={<Trash2 aria-hidden />} isDangerous onSelect={() => deeds.onDelete(config)}>
        {labels.delete}
      </MenuItem>
    </RowMenu>
  );
}
