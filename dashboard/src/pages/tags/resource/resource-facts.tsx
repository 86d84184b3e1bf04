import type { TaggedResource } from '../../../api/resource-tags.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card, StackedFact, StackedFacts } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { ResourceLink } from '../../resource-link.tsx';
import { labels } from '../labels.ts';
import { typeWords } from './resource-types.ts';

interface ResourceFactsProps {
  accountId: string;
  resource: TaggedResource;
}

/** What is known of a resource beside its tags. */
export function ResourceFacts({ accountId, resource }: ResourceFactsProps) {
  const { type, id, workerId, zoneId, accessApplicationId, updatedAt, etag } = resource;
  return (
    <Card title={labels.aboutThisResource}>
      <StackedFacts>
        <StackedFact name={labels.type}>
          {typeWords(type)} <code className="font-mono text-sm text-muted">{type}</code>
        </StackedFact>
        <StackedFact name={labels.id}>
          <CopyText text={id} label={labels.copyResourceId} />
        </StackedFact>
        {workerId !== undefined && (
          <StackedFact name={labels.worker}>
            <CopyText text={workerId} label={labels.copyWorkerId} />
          </StackedFact>
        )}
        {zoneId !== undefined && (
          <StackedFact name={labels.zone}>
            <CopyText text={zoneId} label={labels.copyZoneId} />
          </StackedFact>
        )}
        {accessApplicationId !== undefined && (
          <StackedFact name={labels.accessApplication}>
            <CopyText text={accessApplicationId} label={labels.copyApplicationId} />
          </StackedFact>
        )}
        <StackedFact name={labels.tagsWritten}>
          {updatedAt === undefined ? labels.noTagsValue : <Time value={updatedAt} isPast />}
        </StackedFact>
        <StackedFact name={labels.etag}>
          <CopyText text={etag} label={labels.copyEtag} />
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
