import { Tags } from '../../../ui/icons.tsx';
import type { Access } from '../../../api/accounts.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { labels } from '../labels.ts';
import { TagResourceButton } from './tag-resource-dialog.tsx';
import { firstPut } from './tag-request.ts';

/** Before anything is tagged: what tags are for, and how the first ones come. */
export function FirstTags({ access }: { access: Access }) {
  return (
    <div className="space-y-6">
      <Card>
        <Empty
          icon={<Tags />}
          title={labels.noTagsYet}
          actions={access.can('tags.write') && <TagResourceButton access={access} />}
        >
          A tag is a key with a value, such as <code>env</code> with <code>production</code>. Tag
          related resources, then find them here by team, environment or missing owner. You can tag
          gateways, OAuth clients and tokens of this account, and external resources such as workers
          and zones.
        </Empty>
      </Card>
      <ReadOnly access={access} permission="tags.write" deed={labels.readOnlyAction} />
      <Card
        title={labels.addAFirstTag}
        lead={
          <>
            <code>{TOKEN_VARIABLE}</code> is an API token with the permission Tags Write.
          </>
        }
      >
        <CodeBlock label="command" text={firstPut(access.accountId)} />
      </Card>
    </div>
  );
}
