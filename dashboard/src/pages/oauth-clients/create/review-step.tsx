import { Link } from '@tanstack/react-router';
import { apiCommand } from '../../../lib/shell-command.ts';
import { baseUrl } from '../../../lib/site.ts';
import { Callout } from '../../../ui/badge.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { findApplication } from '../form/applications.ts';
import { createBodyOf } from '../form/client-values.ts';
import type { ClientForm } from '../form/use-client-form.ts';
import { faultyPaths, steps } from './steps.ts';

interface ReviewStepProps {
  client: ClientForm;
  accountId: string;
}

/** Everything once more, and the request that makes it so. */
export function ReviewStep({ client, accountId }: ReviewStepProps) {
  const body = createBodyOf(client.values);
  const json = formatBody(body);
  const url = `${baseUrl}/accounts/${accountId}/oauth_clients`;
  const command = apiCommand({ url, body: json });
  return (
    <div className="space-y-6">
      <Missing client={client} accountId={accountId} />
      <Card title="The client">
        <Summary client={client} />
      </Card>
      <Card
        title="The request"
        lead="What this page sends. Scripts do the same with an API token that has OAuth Clients Write."
      >
        <div className="space-y-4">
          <CodeBlock label="JSON" text={json} />
          <CodeBlock label="curl command" text={command} />
        </div>
      </Card>
    </div>
  );
}

const MAX_LINE = 70;

/** JSON with its lists on one line where they fit: it is read here, and pasted elsewhere. */
function formatBody(body: object): string {
  const lines = Object.entries(body).map(([name, value]) => {
    const inline = JSON.stringify(value).replaceAll('","', '", "');
    const block = JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
    return `  "${name}": ${inline.length > MAX_LINE ? block : inline}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

function Missing({ client, accountId }: ReviewStepProps) {
  const faulty = steps.filter(({ id }) => faultyPaths(client, id).length > 0);
  if (faulty.length === 0) return null;
  return (
    <Callout tone="warning" title="Something is missing or wrong">
      <ul className="list-disc space-y-1 pl-5">
        {faulty.map(({ id, title }) => (
          <li key={id}>
            <Link
              to="/accounts/$accountId/oauth-clients/new"
              params={{ accountId }}
              search={{ step: id }}
              className="underline"
            >
              {title}
            </Link>
            : {reasonOf(client, faultyPaths(client, id)[0])}
          </li>
        ))}
      </ul>
    </Callout>
  );
}

function reasonOf(client: ClientForm, path = ''): string | undefined {
  return (client.faultAt(path) ?? client.faults.get(path))?.reason;
}

function Summary({ client }: { client: ClientForm }) {
  const { values } = client;
  const body = createBodyOf(values);
  const { scopes = [], optional_scopes: optional = [] } = body;
  return (
    <Facts>
      <Fact name="Name">{body.client_name || '–'}</Fact>
      <Fact name="Application">{findApplication(values.application)?.title ?? '–'}</Fact>
      <Fact name="Flow">
        Authorization code with PKCE{' '}
        {values.token_endpoint_auth_method === 'none' ? 'without a secret' : 'and a secret'}
        {values.grant_types.includes('refresh_token') ? ', refresh tokens' : ''}
      </Fact>
      <Fact name="Redirect URIs">
        <Texts texts={body.redirect_uris} />
      </Fact>
      <Fact name="Scopes">
        <Texts
          texts={['openid', ...scopes].map((id) =>
            optional.includes(id) ? `${id} (optional)` : id,
          )}
        />
      </Fact>
      <Fact name="Visibility">
        Private: only members of this account can use it. You can make it public later.
      </Fact>
    </Facts>
  );
}

function Texts({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return '–';
  return (
    <ul className="space-y-0.5">
      {texts.map((text) => (
        <li key={text} className="font-mono text-sm break-all">
          {text}
        </li>
      ))}
    </ul>
  );
}
