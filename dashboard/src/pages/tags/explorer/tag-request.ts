import { RESOURCES_PER_PAGE } from '../../../api/tags.ts';
import { apiCommand } from '../../../lib/shell-command.ts';
import { baseUrl } from '../../../lib/site.ts';
import { writeParameters } from './raw-query.ts';
import { tagParameters } from '../../../lib/tag-query.ts';
import { type TagSearch, queryOf } from './tag-search.ts';

function listOf(accountId: string): string {
  return `${baseUrl}/accounts/${accountId}/tags/resources`;
}

/** The parameters of the very page that is shown. */
function pageOf(search: TagSearch): [name: string, value: string][] {
  const { cursor } = search;
  return [
    ...tagParameters(queryOf(search)),
    ['limit', String(RESOURCES_PER_PAGE)],
    ...(cursor === undefined ? [] : [['cursor', cursor] as [string, string]]),
  ];
}

/** The address of the page of resources that is shown. */
export function addressOf(accountId: string, search: TagSearch): string {
  return `${listOf(accountId)}?${writeParameters(pageOf(search))}`;
}

/** The command that asks for it. */
export function curlOf(accountId: string, search: TagSearch): string {
  return apiCommand({ url: listOf(accountId), parameters: pageOf(search) });
}

/** The command that tags a first resource. */
export function firstPut(accountId: string): string {
  const body = {
    resource_type: 'worker',
    resource_id: 'checkout-api',
    tags: { env: 'production', team: 'payments' },
  };
  const url = `${baseUrl}/accounts/${accountId}/tags`;
  return apiCommand({ url, method: 'PUT', body: JSON.stringify(body) });
}
