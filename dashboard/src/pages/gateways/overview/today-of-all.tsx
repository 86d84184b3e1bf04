import type { TodayByGateway } from '../../../api/gateway-activity.ts';
import { formatCost, formatCount, formatShare, formatShort } from '../../../lib/figures.ts';
import { counted } from '../../../lib/counted.ts';
import { FigureRow, FigureTile } from './figure-tile.tsx';
import { labels } from './labels.ts';
import { sinceWords } from './since-words.ts';

/** What all gateways of an account did today together. */
export function TodayOfAll({ today }: { today: TodayByGateway | undefined }) {
  const totals = today?.totals;
  return (
    <FigureRow label={labels.todayAllGateways}>
      <FigureTile
        name={labels.requestsToday}
        value={
          totals && <span title={formatCount(totals.requests)}>{formatShort(totals.requests)}</span>
        }
        note={today && sinceWords(today.since)}
      />
      <FigureTile
        name={labels.errors}
        value={totals && formatShare(totals.errors, totals.requests)}
        note={
          totals && labels.errorsOf(formatShort(totals.errors), counted(totals.requests, 'request'))
        }
      />
      <FigureTile
        name={labels.cost}
        value={totals && formatCost(totals.cost)}
        note={totals && unpricedWords(totals.requests_without_cost)}
      />
    </FigureRow>
  );
}

/** What a cost leaves out. */
export function unpricedWords(requests: number): string | undefined {
  if (requests === 0) return undefined;
  return `without ${formatShort(requests)} ${requests === 1 ? 'request' : 'requests'} of unknown price`;
}
