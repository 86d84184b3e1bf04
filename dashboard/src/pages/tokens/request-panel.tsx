import { useSuspenseQuery } from '@tanstack/react-query';
import { type Control, useWatch } from 'react-hook-form';
import { type ApiToken, permissionGroupsQuery } from '../../api/tokens.ts';
import { TOKEN_VARIABLE } from '../../lib/shell-command.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { Card } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { labels } from './labels.ts';
import { curlOf, jsonOf } from './requests.ts';
import { type TokenDraft, bodyOfDraft } from './token-draft.ts';
import { useTokenHome } from './token-home.tsx';
import { TokenSummary } from './token-summary.tsx';

interface RequestPanelProps {
  control: Control<TokenDraft>;
  /** The token that is edited. */
  stored: ApiToken | undefined;
}

/** What the form amounts to: in words, and as the request that does the same. */
export function RequestPanel({ control, stored }: RequestPanelProps) {
  const home = useTokenHome();
  const { data: groups } = useSuspenseQuery(permissionGroupsQuery(home.owner));
  const draft = useWatch({ control }) as TokenDraft;
  const body = bodyOfDraft(draft, home, stored);
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const policies = body.policies.map((policy) => ({
    effect: policy.effect,
    groups: policy.permission_groups.map(({ id }) => names.get(id) ?? id),
    resources: Object.keys(policy.resources),
  }));
  return (
    <div className="space-y-6">
      <Card title={labels.effectivePermissions}>
        <TokenSummary policies={policies} limits={body} />
      </Card>
      <Card title={labels.apiRequest}>
        <Tabs
          label={labels.apiRequest}
          tabs={[
            { title: 'JSON', content: <CodeBlock label={labels.json} text={jsonOf(body)} /> },
            {
              title: 'curl',
              content: (
                <div className="space-y-2">
                  <CodeBlock label="command" text={curlOf(home.owner, body, stored?.id)} />
                  <p className="text-sm text-muted">
                    <code>{TOKEN_VARIABLE}</code> is{' '}
                    {home.owner.kind === 'account' ? 'a token' : 'a personal API token'} with the
                    permission Account API Tokens Write that holds all permissions above.
                  </p>
                </div>
              ),
            },
          ]}
        />
      </Card>
    </div>
  );
}
