import { Tags } from 'lucide-react';
import type { Access } from '../../../api/accounts.ts';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import { ReadOnly } from '../../role-needed.tsx';
import { TagResourceButton } from './tag-resource-dialog.tsx';
import { firstPut } from './tag-request.ts';

/** Before anything is tagged: what tags are for, and how the first ones come. */
export function FirstTags({ access }: { access: Access }) {
  return (
    <div className="space-y-6">
      <Card>
        <Empty
          icon={<Tags />}
          title="Nothing is tagged yet"
          actions={access.can('tags.write') && <TagResourceButton access={access} />}
        >
          A tag is a key with a value, such as <code>env</code> with <code>production</code>. Tag
          what belongs together, then find it here: everything of a team, of a stage, or without an
          owner. Gateways, OAuth clients and tokens of this account can be tagged, and also what
          lives elsewhere, such as a worker or a zone.
        </Empty>
      </Card>
      <ReadOnly access={access} permission="tags.write" deed="tag resources" />
      <Card
        title="A first tag with the API"
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
