import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import type { SpentBudget } from '../../../api/gateway-spend.ts';
import { tokenQuery } from '../../../api/tokens.ts';
import { formatCost, formatShare } from '../../../lib/figures.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { Time } from '../../../ui/time.tsx';
import { labels } from './labels.ts';
import { budgetFields, nearness } from './spend-words.ts';

const TONES = { reached: 'danger', near: 'warning', far: 'good' } as const;

interface BudgetMeterProps {
  budget: SpentBudget;
  limit: number;
  /** What it is called, when it is for all that falls under its rule. */
  name: string | undefined;
}

/** What is spent of one budget. */
export function BudgetMeter({ budget, limit, name }: BudgetMeterProps) {
  const { spent, resets_at: resetsAt } = budget;
  const state = nearness(spent, limit);
  const words = labels.of(formatCost(spent), formatCost(limit));
  const fields = budgetFields(budget);
  return (
    <li>
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 text-sm sm:flex-nowrap">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 gap-y-1">
          {fields.map(([field, value]) => (
            <FieldValue key={field} field={field} value={value} isOnly={fields.length === 1} />
          ))}
          {fields.length === 0 && <span className="tabular-nums">{words}</span>}
          {state === 'near' && <Badge tone="warning">{labels.nearTheLimit}</Badge>}
          {state === 'reached' && <Badge tone="danger">{labels.limitReached}</Badge>}
        </span>
        <span className="ml-auto shrink-0 text-muted tabular-nums">
          {fields.length > 0 && `${words} · `}
          {formatShare(spent, limit)}
        </span>
      </div>
      <Meter
        label={name ?? fields.map(([field, value]) => `${field} ${value ?? 'none'}`).join(', ')}
        value={spent}
        max={limit}
        text={`${words}, ${formatShare(spent, limit)}`}
        tone={TONES[state]}
      />
      {resetsAt !== null && (
        <p className="mt-1 text-sm text-danger">
          Requests are rejected. Money becomes available again <Time value={resetsAt} />.
        </p>
      )}
    </li>
  );
}

interface FieldValueProps {
  field: string;
  value: string | null;
  /** The rule says already what it is. */
  isOnly: boolean;
}

function FieldValue({ field, value, isOnly }: FieldValueProps) {
  return (
    <span className="max-w-full min-w-0 truncate" title={value ?? undefined}>
      {!isOnly && <span className="text-muted">{field} </span>}
      {field === 'token' ? <TokenName id={value} /> : <Value>{value}</Value>}
    </span>
  );
}

function Value({ children }: { children: ReactNode }) {
  return <bdi className="font-medium">{children}</bdi>;
}

/** A token by its name, where the person may know it. */
function TokenName({ id }: { id: string | null }) {
  const { accountId, can } = useAccountOfPage();
  const { data: token } = useQuery({
    ...tokenQuery({ kind: 'account', accountId }, id ?? ''),
    enabled: id !== null && can('api-tokens.read'),
    // It may be a person's own, or that of an application.
    retry: false,
  });
  if (id === null) return <Value>{labels.noToken}</Value>;
  if (token !== undefined) return <Value>{token.name}</Value>;
  return <code className="font-mono">{id}</code>;
}
