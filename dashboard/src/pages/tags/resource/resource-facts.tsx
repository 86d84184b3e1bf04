import type { TaggedResource } from '../../../api/resource-tags.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, StackedFact, StackedFacts } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { ResourceLink } from '../../resource-link.tsx';
import { typeWords } from './resource-types.ts';

interface ResourceFactsProps {
  accountId: string;
  resource: TaggedResource;
}

/** What is known of a resource beside its tags. */
export function ResourceFacts({ accountId, resource }: ResourceFactsProps) {
  const { type, id, workerId, zoneId, accessApplicationId, updatedAt, etag } = resource;
  return (
    <Card title="About this resource">
      <StackedFacts>
        <StackedFact name="Type">
          {typeWords(type)} <code className="font-mono text-sm text-muted">{type}</code>
        </StackedFact>
        <StackedFact name="ID">
          <CopyText text={id} label="Copy resource ID" />
        </StackedFact>
        {workerId !== undefined && (
          <StackedFact name="Worker">
            <CopyText text={workerId} label="Copy worker ID" />
          </StackedFact>
        )}
        {zoneId !== undefined && (
          <StackedFact name="Zone">
            <CopyText text={zoneId} label="Copy zone ID" />
          </StackedFact>
        )}
        {accessApplicationId !== undefined && (
          <StackedFact name="Access application">
            <CopyText text={accessApplicationId} label="Copy application ID" />
          </StackedFact>
        )}
        <StackedFact name="Tags written">
          {updatedAt === undefined ? (
            'Never, or they are all gone'
          ) : (
            <Time value={updatedAt} isPast />
          )}
        </StackedFact>
        <StackedFact name="ETag">
          <CopyText text={etag} label="Copy ETag" />
        </StackedFact>
      </StackedFacts>
      <ResourceLink
        accountId={accountId}
        type={type}
        id={id}
        className="mt-4 inline-block text-[0.9375rem] underline"
      />
    </Card>
  );
}
