import { PAGE_LOGS } from '../../api/gateway-logs.ts';
import type { GatewayPlace } from '../../api/gateways.ts';
import { logParameters } from '../../lib/log-query.ts';
import { serverNow } from '../../lib/server-time.ts';
import { TOKEN_VARIABLE, apiCommand } from '../../lib/shell-command.ts';
import { baseUrl } from '../../lib/site.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { labels } from './labels.ts';
import { type LogSearch, queryAt } from './log-search.ts';

interface ApiCallDialogProps {
  isOpen: boolean;
  onClose: () => void;
  place: GatewayPlace;
  search: LogSearch;
}

/** The request to the API that answers what the page shows. */
export function ApiCallDialog({ isOpen, onClose, place, search }: ApiCallDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isWide
      title={labels.apiRequest}
      lead={labels.isAnApiToken(TOKEN_VARIABLE, PAGE_LOGS)}
    >
      <CodeBlock label="command" text={listCommand(place, search)} />
      {search.range !== undefined && search.range !== 'custom' && (
        <p className="mt-3 text-sm text-muted">{labels.relativeTimeRangesStart}</p>
      )}
    </Dialog>
  );
}

/** A parameter on each line, as they are read. */
function listCommand({ accountId, gatewayId }: GatewayPlace, search: LogSearch): string {
  const parameters = logParameters(queryAt(search, serverNow()));
  parameters.append('per_page', String(PAGE_LOGS));
  const path = `/accounts/${accountId}/ai-gateway/gateways/${encodeURIComponent(gatewayId)}/logs`;
  return apiCommand({ url: baseUrl + path, parameters: [...parameters] });
}
