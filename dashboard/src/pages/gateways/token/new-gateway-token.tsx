import { shellWord } from '../../../lib/shell-command.ts';
import { baseUrl, gatewayUrl } from '../../../lib/site.ts';
import { CodeBlock, SecretOnce } from '../../../ui/copy.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { labels } from './labels.ts';

interface NewGatewayTokenProps {
  value: string;
  onCopied: () => void;
}

/** The value of a token for a gateway, this once, and in which header requests carry it. */
export function NewGatewayToken({ value, onCopied }: NewGatewayTokenProps) {
  const { access, gateway } = useGatewayOfPage();
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  return (
    <div className="space-y-5">
      <SecretOnce name={labels.token} value={value} onCopied={onCopied}>
        {labels.copyTheTokenNow}
      </SecretOnce>
      <div>
        <h3 className="mb-1 font-semibold">{labels.sendTheTokenWithEach}</h3>
        <p className="mb-3 text-sm text-muted">
          The header depends on the URL. The built-in model <code>local/echo</code> needs no
          provider key, so these commands test the token.
        </p>
        <Tabs
          label={labels.api}
          tabs={[
            {
              title: labels.restApi,
              content: (
                <Way
                  header={labels.authorization}
                  why={labels.oneUrlForAllModels}
                  command={restCommand(place, value)}
                />
              ),
            },
            {
              title: labels.gatewayHost,
              content: (
                <Way
                  header="cf-aig-authorization"
                  why={labels.theNativeApiOfEach}
                  command={hostCommand(place, value)}
                />
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}

interface WayProps {
  header: string;
  why: string;
  command: string;
}

function Way({ header, why, command }: WayProps) {
  return (
    <div className="space-y-2.5">
      <p className="text-[0.9375rem]">
        Header <code className="font-mono text-sm font-semibold">{labels.bearer(header)}</code>{' '}
        <span className="text-muted">{why}</span>
      </p>
      <CodeBlock label="command" text={command} />
    </div>
  );
}

interface Place {
  accountId: string;
  gatewayId: string;
}

/** Asks the built-in model through the REST API. */
function restCommand({ accountId, gatewayId }: Place, token: string): string {
  return command(`${baseUrl}/accounts/${accountId}/ai/v1/chat/completions`, 'local/echo', [
    `Authorization: Bearer ${token}`,
    `cf-aig-gateway-id: ${gatewayId}`,
  ]);
}

/** Asks the built-in model through the address of the gateway. */
function hostCommand({ accountId, gatewayId }: Place, token: string): string {
  const address = `${gatewayUrl}/v1/${accountId}/${gatewayId}/local/chat/completions`;
  return command(address, 'echo', [`cf-aig-authorization: Bearer ${token}`]);
}

function command(address: string, model: string, headers: readonly string[]): string {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] };
  const lines = [...headers, 'Content-Type: application/json'].map(
    (header) => `-H ${shellWord(header)}`,
  );
  const data = `-d ${shellWord(JSON.stringify(body))}`;
  return [`curl -sS ${shellWord(address)}`, ...lines, data].join(' \\\n  ');
}
