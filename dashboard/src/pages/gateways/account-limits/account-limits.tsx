import { useEdit } from '../../../ui/use-edit.ts';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Wallet } from '../../../ui/icons.tsx';
import {
  type AccountLimits,
  accountLimitsQuery,
  accountSpendQuery,
  putAccountLimits,
  readAccountLimits,
} from '../../../api/account-limits.ts';
import { type Access, useAccountOfPage } from '../../../api/accounts.ts';
import { tokenNamesQuery } from '../../../api/tokens.ts';
import { type ApiForm, useApiForm } from '../../../ui/form.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.tsx';
import { ReadOnly, Unseen } from '../../role-needed.tsx';
import { SettingsCard } from '../settings/settings-card.tsx';
import { type SpendDraft, fieldOfSpend, readLimits, writeLimits } from '../settings/spend-draft.ts';
import { SpendRules } from '../settings/spend-rules.tsx';
import { SpendOfRules } from '../spend/spend-card.tsx';
import { labels } from './labels.ts';

const NO_NAMES: ReadonlyMap<string, string> = new Map();
const HERE = '/accounts/$accountId/ai-gateway/spend-limits';

/** The spend limits that the gateways of an account share. */
export function AccountLimitsPage() {
  const access = useAccountOfPage();
  return (
    <Page title={labels.title} lead={labels.lead}>
      {access.can('ai-gateway.read') ? (
        <Limits key={access.accountId} access={access} />
      ) : (
        <Unseen
          access={access}
          permission="ai-gateway.read"
          icon={<Wallet />}
          what={labels.unseen}
        />
      )}
    </Page>
  );
}

function Limits({ access }: { access: Access }) {
  const { accountId } = access;
  const { data: limits } = useSuspenseQuery(accountLimitsQuery(accountId));
  const limited = useSearch({ from: HERE });
  const { data: names = NO_NAMES } = useQuery({
    ...tokenNamesQuery(accountId),
    enabled: access.can('api-tokens.read'),
  });
  const tokens = Array.from(names, ([id, name]) => ({ id, name }));
  const edit = useEdit(limits, () => readAccountLimits(accountId));
  const form: ApiForm<SpendDraft> = useApiForm<SpendDraft>({
    values: readLimits(limits),
    fieldOf: (path) => fieldOfSpend(`spend_limits.${path}`, form.getValues()),
    save: async (draft) => {
      const saved = await edit.save(['enabled', 'rules'], (headers) =>
        putAccountLimits(accountId, writeLimits(draft), headers),
      );
      form.reset(readLimits(saved));
      toast(labels.saved);
    },
  });
  const isLimited = limits.enabled && limits.rules.some(({ enabled }) => enabled);
  return (
    <div className="space-y-6">
      <ReadOnly access={access} permission="ai-gateway.write" deed={labels.deed} />
      {isLimited && (
        <Card title={labels.spend}>
          <CurrentSpend accountId={accountId} rules={limits.rules} />
        </Card>
      )}
      <SettingsCard id="rules" title={labels.rules} lead={labels.rulesLead} form={form}>
        <SpendRules form={form} scope="account" tokens={tokens} limited={limited} />
      </SettingsCard>
    </div>
  );
}

interface CurrentSpendProps {
  accountId: string;
  rules: AccountLimits['rules'];
}

function CurrentSpend({ accountId, rules }: CurrentSpendProps) {
  return <SpendOfRules rules={rules} result={useQuery(accountSpendQuery(accountId))} />;
}
