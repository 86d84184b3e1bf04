import { LayoutGrid } from 'lucide-react';
import { LinkButton } from '../../../ui/button.tsx';
import { Card, Page } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';

/** Somebody has deleted the client while its page was open. */
export function ClientGone({ accountId, name }: { accountId: string; name: string }) {
  return (
    <Page title={name}>
      <Card>
        <div role="alert">
          <Empty
            icon={<LayoutGrid />}
            title="This client was deleted"
            actions={
              <LinkButton to="/accounts/$accountId/oauth-clients" params={{ accountId }}>
                All OAuth clients
              </LinkButton>
            }
          >
            You, in another tab, or somebody else in this account. Its secrets and tokens work no
            more.
          </Empty>
        </div>
      </Card>
    </Page>
  );
}
