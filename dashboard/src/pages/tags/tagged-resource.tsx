import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Tags, Trash2 } from '../../ui/icons.tsx';
import { useState } from 'react';
import { type Access, useAccountOfPage } from '../../api/accounts.ts';
import { resourceTagsQuery } from '../../api/resource-tags.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { TagResourceButton } from './explorer/tag-resource-dialog.tsx';
import { labels } from './labels.ts';
import { DeleteTags } from './resource/delete-tags.tsx';
import { HistoryCard } from './resource/history-card.tsx';
import { ResourceFacts } from './resource/resource-facts.tsx';
import { typeWords } from './resource/resource-types.ts';
import { type SavedTags, TagsPanel } from './resource/tags-panel.tsx';

/** The tags of one resource, and how they came. */
export function TaggedResource() {
  const access = useAccountOfPage();
  if (access.can('tags.read')) return <SeenResource access={access} />;
  return (
    <Page title={labels.tagsOfAResource}>
      <Unseen access={access} permission="tags.read" icon={<Tags />} what={labels.hiddenSubject} />
    </Page>
  );
}

function SeenResource({ access }: { access: Access }) {
  const { accountId } = access;
  const { resourceType, resourceId } = useParams({
    from: '/accounts/$accountId/tags/$resourceType/$resourceId',
  });
  const { worker } = useSearch({ from: '/accounts/$accountId/tags/$resourceType/$resourceId' });
  const ref = { type: resourceType, id: resourceId, workerId: worker };
  const { data: resource } = useSuspenseQuery(resourceTagsQuery(accountId, ref));
  const [saved, setSaved] = useState<SavedTags>();
  const [isDeleting, setIsDeleting] = useState(false);
  const mayWrite = access.can('tags.write');
  const shared = { accountId, resource };
  return (
    <Page
      title={resource.name}
      windowTitle={labels.tagsOf(resource.name)}
      beside={<Badge>{typeWords(resource.type)}</Badge>}
      back={{ label: labels.tags, to: '/accounts/$accountId/tags', params: { accountId } }}
      actions={
        mayWrite && (
          <>
            <TagResourceButton access={access} label={labels.tagAnotherResource} look="plain" />
            {resource.tags.size > 0 && (
              <Button
                look="danger-plain"
                icon={<Trash2 aria-hidden className="size-4" />}
                onClick={() => setIsDeleting(true)}
              >
                {labels.removeAllTags}
              </Button>
            )}
          </>
        )
      }
    >
      <ReadOnly access={access} permission="tags.write" deed={labels.changeTagsAction} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <TagsPanel
          {...shared}
          mayWrite={mayWrite}
          hasName
          beginsEditing
          saved={saved}
          onSaved={setSaved}
        />
        <ResourceFacts {...shared} />
      </div>
      <HistoryCard access={access} resource={resource} onRestored={setSaved} />
      <DeleteTags
        {...shared}
        isOpen={isDeleting}
        onClose={() => setIsDeleting(false)}
        onDeleted={setSaved}
      />
    </Page>
  );
}
