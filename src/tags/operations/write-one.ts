import type { ChangeContext } from '../../iam/changes.ts';
import { resourceNotFoundVariants, tagErrors } from '../tag-errors.ts';
import { taggedResourceReply } from '../tag-presenter.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { auditedBody, tagChange } from '../write/audited-tags.ts';
import type { TagWrite } from '../write/tag-write.ts';

/** The errors of a PUT or PATCH of the tags of one resource. */
export const writeErrors = [
  tagErrors.invalidSetPayload,
  tagErrors.invalidResourceType,
  tagErrors.keyTooLong,
  tagErrors.invalidKey,
  tagErrors.valueTooLong,
  tagErrors.setTooLarge,
  tagErrors.preconditionFailed,
  ...resourceNotFoundVariants,
];

/** The request behind a write to one resource, for the audit log. */
interface Asked {
  body: { resource_type: string; resource_id: string; tags: object };
  tagCount: number;
  /** In words, past tense. */
  description: string;
}

/**
 * Makes the write of tags that a request asks for, and answers with the resource as it is then.
 * @throws ApiError what the write was refused with
 */
export function writeOne(
  { writer }: TagOperationServices,
  context: ChangeContext,
  write: TagWrite,
  { body, tagCount, description }: Asked,
) {
  const change = {
    ...tagChange(write.resource.accountId, body, 'update', description),
    request: auditedBody(body, tagCount),
  };
  return writer.write(context, write, ({ resource }) => ({
    answer: taggedResourceReply(resource),
    change,
  }));
}
