import { Type } from 'typebox';
import { apiError, httpErrors } from '../../http/errors.ts';
import { type CredentialPrincipal, accountsOf, holds } from '../../iam/principal.ts';
import { type ManagementRoute, defineRoute } from '../../iam/route.ts';
import type { Db } from '../../storage/schema.ts';
import { type TaggedResource, accountsWithTags, findTaggedResource } from '../store/tag-store.ts';
import {
  deleteBodyFaults,
  resourceNotFound,
  resourceNotFoundVariants,
  setBodyFaults,
  tagErrors,
} from '../tag-errors.ts';
import { taggedResourceReply } from '../tag-presenter.ts';
import { SetTagsSchema, TAGS_SECTION, TaggedResourceSchema } from '../tag-schemas.ts';
import type { TagOperationServices } from '../tag-services.ts';
import { deleteTags, namedResource } from './delete-tags.ts';
import { putTags } from './put-tags.ts';
import { writeErrors } from './write-one.ts';

const ZONE = 'zone';

/** The types of the public API whose resources are parts of a zone, and the zone itself. */
const ZONE_TYPES: ReadonlySet<string> = new Set([
  'access_application_policy',
  'api_gateway_operation',
  'custom_certificate',
  'custom_hostname',
  'dns_record',
  'healthcheck',
  'load_balancer',
  'managed_client_certificate',
  'worker_route',
  ZONE,
  'zone_ruleset',
]);

const ZoneParams = Type.Object({
  zone_id: Type.String({ minLength: 1, maxLength: 512, description: 'Zone id' }),
});

const { zone_id: _, ...setFields } = SetTagsSchema.properties;
const SetZoneTagsSchema = Type.Object(setFields, { additionalProperties: false });

const Selection = {
  resource_type: Type.Optional(Type.String({ description: 'Default: `zone`' })),
  resource_id: Type.Optional(Type.String({ description: 'Default for a zone: its id' })),
};
const ZoneResourceQuery = Type.Object({
  ...Selection,
  access_application_id: Type.Optional(Type.String({ description: 'No effect' })),
});
const DeleteZoneTagsSchema = Type.Object(Selection, { additionalProperties: false });

const ACCOUNT_RULE =
  'If the credential can access several accounts, the server selects the account in which the resource, or else the zone, has tags. If no account or several accounts qualify, the error is 6010.';

/** Returns the operations on tags in a zone. They have the same records as those of accounts. */
export function zoneTagRoutes(services: TagOperationServices): ManagementRoute[] {
  return [getZoneTags(services), putZoneTags(services), deleteZoneTags(services)];
}

const getZoneTags = ({ database, notFoundStatus }: TagOperationServices) =>
  defineRoute({
    method: 'GET',
    path: '/zones/:zone_id/tags',
    operationId: 'get-zone-tags',
    section: TAGS_SECTION,
    summary: 'Get the tags of a zone or of a resource in it',
    description: `The result is an error 1004 if the resource has no tags. ${ACCOUNT_RULE}`,
    access: { anyAccount: 'tags.read' },
    params: ZoneParams,
    query: ZoneResourceQuery,
    hasEtag: true,
    result: TaggedResourceSchema,
    errors: [
      tagErrors.resourceRequired,
      tagErrors.invalidResourceType,
      ...resourceNotFoundVariants,
    ],
    async handler({ principal, params, query }) {
      const zoneId = params.zone_id;
      const { resource_type: type = ZONE } = query;
      const { resource_id: id = type === ZONE ? zoneId : '' } = query;
      if (type === '' || id === '') throw apiError(tagErrors.resourceRequired);
      checkZoneType(type);
      const place = { principal, zoneId, permission: 'tags.read' } as const;
      const accountId = await findAccount(database.read, place, { type, id });
      const resource = await findTaggedResource(database.read, { accountId, type, id });
      if (resource === undefined || !isInZone(resource, zoneId)) {
        throw resourceNotFound(notFoundStatus, type, id);
      }
      return taggedResourceReply(resource);
    },
  });

const putZoneTags = (services: TagOperationServices) =>
  defineRoute({
    method: 'PUT',
    path: '/zones/:zone_id/tags',
    operationId: 'put-zone-tags',
    section: TAGS_SECTION,
    summary: 'Set the tags of a zone or of a resource in it',
    description: `Works as \`put-tags\`, with the zone in the path. ${ACCOUNT_RULE}`,
    access: { anyAccount: 'tags.write' },
    params: ZoneParams,
    body: SetZoneTagsSchema,
    bodyFaults: setBodyFaults,
    result: TaggedResourceSchema,
    errors: writeErrors,
    async handler({ principal, params, body, request }) {
      const zoneId = params.zone_id;
      const { resource_type: type, resource_id: id } = body;
      checkZoneType(type);
      if (type === ZONE && id !== zoneId) throw apiError(tagErrors.invalidSetPayload);
      const place = { principal, zoneId, permission: 'tags.write' } as const;
      const accountId = await findAccount(services.database.read, place, { type, id });
      const input = { ...body, zone_id: zoneId };
      return putTags(services, { principal, request }, accountId, input);
    },
  });

const deleteZoneTags = (services: TagOperationServices) =>
  defineRoute({
    method: 'DELETE',
    path: '/zones/:zone_id/tags',
    operationId: 'delete-zone-tags',
    section: TAGS_SECTION,
    summary: 'Remove all tags of a zone or of one resource in it',
    description: `Without a selected resource, removes the tags of the zone itself, and not those of resources in it. The response is also 204 if there are no tags. ${ACCOUNT_RULE}`,
    access: { anyAccount: 'tags.write' },
    params: ZoneParams,
    query: ZoneResourceQuery,
    body: DeleteZoneTagsSchema,
    bodyOptional: true,
    bodyFaults: deleteBodyFaults,
    errors: [
      tagErrors.invalidDeletePayload,
      tagErrors.invalidResourceType,
      tagErrors.preconditionFailed,
    ],
    async handler({ principal, params, query, body, request }) {
      const zoneId = params.zone_id;
      const { access_application_id: _application, ...selected } = query;
      const isSelected = Object.keys({ ...selected, ...body }).length > 0;
      const named = isSelected
        ? namedResource(selected, body && { resource_type: '', resource_id: '', ...body })
        : { resource_type: ZONE, resource_id: zoneId };
      const { resource_type: type, resource_id: id } = named;
      checkZoneType(type);
      const { database } = services;
      const place = { principal, zoneId, permission: 'tags.write' } as const;
      const accountId = await findAccount(database.read, place, { type, id });
      const resource = await findTaggedResource(database.read, { accountId, type, id });
      if (resource !== undefined && !isInZone(resource, zoneId)) {
        throw apiError(tagErrors.invalidDeletePayload);
      }
      return deleteTags(services, { principal, request }, accountId, named);
    },
  });

function checkZoneType(type: string): void {
  if (!ZONE_TYPES.has(type)) throw apiError(tagErrors.invalidResourceType);
}

function isInZone({ type, id, zoneId }: TaggedResource, zone: string): boolean {
  return type === ZONE ? id === zone : zoneId === zone;
}

/**
 * Returns the account of a resource in a zone, among those in which the credential has the permission.
 * @throws ApiError 6010 if several accounts are possible
 */
async function findAccount(
  db: Db,
  place: {
    principal: CredentialPrincipal;
    zoneId: string;
    permission: 'tags.read' | 'tags.write';
  },
  resource: { type: string; id: string },
): Promise<string> {
  const { principal, zoneId, permission } = place;
  const accountIds = accountsOf(principal).filter((accountId) =>
    holds(principal, permission, { accountId }),
  );
  const isZone = resource.type === ZONE;
  const found =
    (await soleAccount(db, accountIds, resource)) ??
    (isZone ? undefined : await soleAccount(db, accountIds, { type: ZONE, id: zoneId }));
  if (found !== undefined) return found;
  throw apiError(httpErrors.invalidParameter, {
    message:
      'Invalid request parameter: the zone does not identify one of the accounts of this credential. Use /accounts/{account_id}/tags',
    pointer: 'zone_id',
  });
}

async function soleAccount(
  db: Db,
  accountIds: readonly string[],
  resource: { type: string; id: string },
): Promise<string | undefined> {
  if (accountIds.length === 1) return accountIds[0];
  const found = await accountsWithTags(db, accountIds, resource);
  return found.length === 1 ? found[0] : undefined;
}
