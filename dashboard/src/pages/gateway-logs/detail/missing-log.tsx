import type { Gateway } from '../../../api/gateways.ts';
import { formatCount } from '../../../lib/figures.ts';

/** Why there may be no log of an id. */
export function MissingLog({ gateway }: { gateway: Gateway }) {
  const { log_management: most, collect_logs: isCollecting } = gateway;
  return (
    <div className="max-w-prose space-y-3 text-[0.9375rem]">
      <p>
        The gateway <bdi className="font-medium wrap-anywhere">{gateway.id}</bdi> has no log of this
        id. There are a few possible reasons:
      </p>
      <ul className="list-disc space-y-1.5 pl-5 text-muted">
        <li>It was deleted, or is older than the server keeps logs.</li>
        {typeof most === 'number' && most > 0 && (
          <li>It made room for newer ones: this gateway keeps {formatCount(most)}.</li>
        )}
        {!isCollecting && <li>This gateway does not collect logs at present.</li>}
        <li>The address is not quite right, or is of another gateway.</li>
      </ul>
    </div>
  );
}
