import { useQuery } from '@tanstack/react-query';
import { tagsKey } from '../../../api/tags.ts';
import { labels } from '../labels.ts';
import { TagRequest } from '../resource/tag-request.tsx';
import { type BulkJob, beginBulk, prepareBulk } from './bulk-parts.ts';

/** The first request of a bulk change, to be sent by other programs. */
export function BulkRequest({ job }: { job: BulkJob }) {
  const { accountId, selection, edit } = job;
  const { data } = useQuery({
    queryKey: [...tagsKey(accountId), 'bulk-request', selection, edit],
    queryFn: async ({ signal }) => (await prepareBulk(job, beginBulk(job), signal)).pending?.body,
    staleTime: 0,
    // It copies what is new, and would lose a tag that is called `__proto__`.
    structuralSharing: false,
  });
  if (data === undefined) return null;
  const isOne =
    selection.kind === 'resources' && data.operations?.length === selection.resources.length;
  return (
    <TagRequest
      accountId={accountId}
      method="POST"
      path="/bulk"
      body={data}
      note={isOne ? undefined : MORE}
    />
  );
}

const MORE = labels.thisIsTheFirstRequest;
