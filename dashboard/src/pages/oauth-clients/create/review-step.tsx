import { Link } from '@tanstack/react-router';
import { apiCommand } from '../../../lib/shell-command.ts';
import { baseUrl } from '../../../lib/site.ts';
import { Callout } from '../../../ui/badge.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card, Fact, Facts } from '../../../ui/page.tsx';
import { findApplication } from '../form/applications.ts';
import { createBodyOf } from '../form/client-values.ts';
import type { ClientForm } from '../form/use-client-form.ts';
import { labels } from './labels.ts';
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
      <Card title={labels.client}>
        <Summary client={client} />
      </Card>
      <Card title={labels.apiRequest} lead={labels.theRequestThatThisPage}>
        <div className="space-y-4">
          <CodeBlock label={labels.json} text={json} />
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
    <Callout tone="warning" title={labels.missingOrInvalidInput}>
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
  return (
    <Facts>
      <Fact name={labels.name}>{body.client_name || '–'}</Fact>
      <Fact name={labels.application}>{findApplication(values.application)?.title ?? '–'}</Fact>
      <Fact name={labels.flow}>
        {labels.authorizationCodeWithPkce(
          values.token_endpoint_auth_method === 'none' ? 'without a secret' : 'and a secret',
          values.grant_types.includes('refresh_token') ? ', refresh tokens' : '',
        )}
      </Fact>
      <Fact name={labels.redirectUris}>
        <Texts texts={body.redirect_uris} />
      </Fact>
      <Fact name={labels.scopes}>
        <Texts
          texts={['openid', ...(body.scopes ?? [])].map((id) =>
            body.optional_scopes?.includes(id) === true ? labels.optional(id) : id,
          )}
        />
      </Fact>
      <Fact name={labels.visibility}>{labels.privateOnlyMembers}</Fact>
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
