import { LayoutGrid } from '../../../ui/icons.tsx';
import { LinkButton } from '../../../ui/button.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { labels } from './labels.ts';

/** Somebody has deleted the client while its page was open. */
export function ClientGone({ accountId, name }: { accountId: string; name: string }) {
  return (
    <Page title={name}>
      <Card>
        <div role="alert">
          <Empty
            icon={<LayoutGrid />}
            title={labels.thisClientWasDeleted}
            actions={
              <LinkButton to="/accounts/$accountId/oauth-clients" params={{ accountId }}>
                {labels.allOauthClients}
              </LinkButton>
            }
          >
            {labels.anotherUserDeleted}
          </Empty>
        </div>
      </Card>
    </Page>
  );
}
