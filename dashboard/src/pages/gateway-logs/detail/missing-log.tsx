import type { Gateway } from '../../../api/gateways.ts';
import { formatCount } from '../../../lib/figures.ts';
import { labels } from '../labels.ts';

/** Why there may be no log of an id. */
export function MissingLog({ gateway }: { gateway: Gateway }) {
  const { log_management: most, collect_logs: isCollecting } = gateway;
  return (
    <div className="max-w-prose space-y-3 text-[0.9375rem]">
      <p>
        The gateway <bdi className="font-medium wrap-anywhere">{gateway.id}</bdi> has no log with
        this ID. Possible reasons:
      </p>
      <ul className="list-disc space-y-1.5 pl-5 text-muted">
        <li>{labels.theLogWasDeleted}</li>
        {typeof most === 'number' && most > 0 && (
          <li>{labels.newerLogsReplaced(formatCount(most))}</li>
        )}
        {!isCollecting && <li>{labels.loggingIsDisabled}</li>}
        <li>{labels.theUrlIsWrong}</li>
      </ul>
    </div>
  );
}
