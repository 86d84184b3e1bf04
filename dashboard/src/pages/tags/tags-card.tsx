import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAccountOfPage } from '../../api/accounts.ts';
import { resourceTagsQuery } from '../../api/resource-tags.ts';
import { Card } from '../../ui/page.tsx';
import { LoadFailure, LoadingRows } from '../../ui/states.tsx';
import { labels } from './labels.ts';
import { type SavedTags, TagsPanel } from './resource/tags-panel.tsx';

interface TagsCardProps {
  accountId: string;
  /** As the API has it: `oauth_client`, `ai_gateway`. */
  resourceType: string;
  resourceId: string;
}

/** The tags of a resource, on the page of the resource. Nothing for who may not see tags. */
export function TagsCard(props: TagsCardProps) {
  const access = useAccountOfPage();
  if (!access.can('tags.read')) return null;
  return <SeenCard {...props} mayWrite={access.can('tags.write')} />;
}

function SeenCard({
  accountId,
  resourceType,
  resourceId,
  mayWrite,
}: TagsCardProps & { mayWrite: boolean }) {
  const [saved, setSaved] = useState<SavedTags>();
  const ref = { type: resourceType, id: resourceId };
  const { data: resource, error, refetch } = useQuery(resourceTagsQuery(accountId, ref));
  if (resource === undefined) {
    return (
      <Card title={labels.tags}>
        {error === null ? (
          <LoadingRows rows={2} />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )}
      </Card>
    );
  }
  return (
    <TagsPanel
      accountId={accountId}
      resource={resource}
      mayWrite={mayWrite}
      saved={saved}
      onSaved={setSaved}
      actions={
        <Link
          to="/accounts/$accountId/tags/$resourceType/$resourceId"
          params={{ accountId, resourceType, resourceId }}
          className="self-center text-sm text-muted underline hover:text-text"
        >
          {labels.history}
        </Link>
      }
    />
  );
}
