import type { Static } from 'typebox';
import { apiError } from '../../http/errors.ts';
import type { FindResourceName } from '../../iam/own-resources.ts';
import { AccountParams, defineRoute } from '../../iam/route.ts';
import type { Transaction } from '../../storage/schema.ts';
import { ifMatchHolds } from '../write/etag.ts';
import { inLargeChunks, pauseIfLarge } from '../write/event-loop-turns.ts';
import { checkGateway } from '../gateway-denials.ts';
import { WORKER_VERSION, isOwnResourceType } from '../resource-types.ts';
import {
  resourceNotFound,
  resourceNotFoundVariants,
  setBodyFaults,
  tagErrors,
} from '../tag-errors.ts';
import { tagChange } from '../write/tag-change.ts';
import { checkKey, checkResourceType, checkValue } from '../tag-limits.ts';
import { taggedResourceReply } from '../tag-presenter.ts';
import { SetTagsSchema, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { type TagMap, type TagSet, tagMapOf, tagSetOf } from '../write/tag-set.ts';
import {
  type ResourceRef,
  type TaggedResource,
  lockResource,
  replaceTags,
} from '../store/tag-store.ts';

type SetTagsInput = Static<typeof SetTagsSchema>;

export const putTagsRoute = (services: TagOperationServices) =>
  defineRoute({
    method: 'PUT',
    path: '/accounts/:account_id/tags',
    operationId: 'put-tags',
    section: TAGS_SECTION,
    summary: 'Set the tags of a resource',
    description:
      'Replaces the whole set and all else that is stored of the resource; of several writers the ' +
      'last one wins whole. A resource whose set is empty counts as never tagged. With `If-Match` ' +
      'the write happens only while the ETag is the one given; `*` asks that there be tags.',
    access: 'tags.write',
    params: AccountParams,
    body: SetTagsSchema,
    bodyFaults: setBodyFaults,
    result: TaggedResourceSchema,
    errors: [
      tagErrors.invalidSetPayload,
      tagErrors.invalidResourceType,
      tagErrors.keyTooLong,
      tagErrors.invalidKey,
      tagErrors.valueTooLong,
      tagErrors.preconditionFailed,
      ...resourceNotFoundVariants,
    ],
    async handler({ principal, params, body, request }) {
      checkInput(body, services.resourceTypes);
      const resource = {
        accountId: params.account_id,
        type: body.resource_type,
        id: body.resource_id,
      };
      checkGateway(principal, 'tags.write', resource);
      const byKey = tagMapOf(body.tags);
      await checkTags(byKey);
      const tagSet = await tagSetOf(body.tags, byKey);
      const ifMatch = request.headers['if-match'];
      const reply = await services.changes.make({ principal, request }, async ({ tx, audit }) => {
        const stored = await setTags(tx, services, resource, body, tagSet, ifMatch);
        const change = tagChange(params.account_id, body, 'update', 'Set the tags of a resource');
        audit({ ...change, request: auditedBody(body, byKey.size) });
        return taggedResourceReply(stored);
      });
      await pauseIfLarge(byKey.size);
      return reply;
    },
  });

/** What the schema cannot say of a resource, in the order in which the faults are told. */
function checkInput(body: SetTagsInput, resourceTypes: ReadonlySet<string>): void {
  if (body.resource_type === WORKER_VERSION && body.worker_id === undefined) {
    throw apiError(tagErrors.invalidSetPayload);
  }
  checkResourceType(body.resource_type, resourceTypes);
}

/** The same of its tags. */
async function checkTags(tags: TagMap): Promise<void> {
  for await (const chunk of inLargeChunks([...tags])) {
    for (const [key, value] of chunk) {
      checkKey(key);
      checkValue(value);
    }
  }
}

// The log keeps what people set by hand; of larger sets it says how large they were.
const MAX_AUDITED_TAGS = 100;

function auditedBody(body: SetTagsInput, tagCount: number): unknown {
  return tagCount <= MAX_AUDITED_TAGS ? body : { ...body, tags: { omitted_tags: tagCount } };
}

async function setTags(
  tx: Transaction,
  services: TagOperationServices,
  resource: ResourceRef,
  body: SetTagsInput,
  tagSet: TagSet,
  ifMatch: string | undefined,
): Promise<TaggedResource> {
  const { clock, sequence } = services;
  const locked = await lockResource(tx, resource, () => sequence.next());
  // Only now: what is read after the lock cannot go away before the end of the transaction.
  const name = await nameOf(tx, services.findResourceName, resource, body.name);
  if (name === undefined) {
    throw resourceNotFound(services.notFoundStatus, resource.type, resource.id);
  }
  if (!ifMatchHolds(ifMatch, locked.etag)) throw apiError(tagErrors.preconditionFailed);
  const facts = {
    name,
    workerId: body.worker_id,
    zoneId: body.zone_id,
    accessApplicationId: body.access_application_id,
  };
  return replaceTags(tx, locked, facts, tagSet, clock.now());
}

/** Our own resources must exist and keep the name of their record; others are taken as they are given. */
function nameOf(
  tx: Transaction,
  findResourceName: FindResourceName,
  { accountId, type, id }: ResourceRef,
  given: string | undefined,
): Promise<string | undefined> {
  if (isOwnResourceType(type)) return findResourceName(tx, { accountId, type, id });
  return Promise.resolve(given ?? id);
}
