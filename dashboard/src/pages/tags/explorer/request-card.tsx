import { clsx } from 'clsx';
import { ChevronDown, Terminal } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { TOKEN_VARIABLE } from '../../../lib/shell-command.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { labels } from '../labels.ts';
import type { TagSearch } from './tag-search.ts';
import { addressOf, curlOf } from './tag-request.ts';

interface RequestCardProps {
  accountId: string;
  search: TagSearch;
}

/** The request that gives the same resources. */
export function RequestCard({ accountId, search }: RequestCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const curl = (
    <div className="space-y-2">
      <CodeBlock label="command" text={curlOf(accountId, search)} />
      <p className="text-sm text-muted">
        <code>{TOKEN_VARIABLE}</code> is an API token with the permission Tags Read.
      </p>
    </div>
  );
  const address = (
    <div className="space-y-2">
      <CodeBlock label="address" text={addressOf(accountId, search)} />
      <p className="text-sm text-muted">
        <code>limit</code> can be up to 1,000. If there are more results, the response contains a{' '}
        <code>cursor</code> for the next page.
      </p>
    </div>
  );
  return (
    <div className="min-w-0">
      {/* On a wide screen it stands beside the filter, else in the way of the results. */}
      <Button
        className="w-full xl:hidden"
        aria-expanded={isOpen}
        icon={<Terminal aria-hidden className="size-4" />}
        onClick={() => setIsOpen(!isOpen)}
      >
        API request
        <ChevronDown aria-hidden className={clsx('size-4', isOpen && 'rotate-180')} />
      </Button>
      <Card
        title={labels.apiRequest}
        className={clsx('max-xl:mt-3 xl:block xl:h-full', !isOpen && 'hidden')}
      >
        <Tabs
          label={labels.apiRequest}
          tabs={[
            { title: 'curl', content: curl },
            { title: labels.url, content: address },
          ]}
        />
      </Card>
    </div>
  );
}
