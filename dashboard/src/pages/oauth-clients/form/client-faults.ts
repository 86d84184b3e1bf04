import { findClientNameFault } from '../../../lib/client-name.ts';
import { findCorsOriginFault } from '../../../lib/cors-origin.ts';
import { dependsOnServer, findRedirectUriFault } from '../../../lib/redirect-uri.ts';
import { type UriFault, faultOf, findWebUriFault } from '../../../lib/web-uri.ts';
import {
  type ClientValues,
  type UriListName,
  filledRows,
  uriLists,
  webUris,
} from './client-values.ts';
import { labels } from './labels.ts';

/** By the way through the form: `redirect_uris.0`. */
export type ClientFaults = ReadonlyMap<string, UriFault>;

const MAX_LIST_ITEMS = 100;
const MAX_LISTS_BYTES = 32 * 1_024;

/** Everything that the server would refuse, as far as the page can know. */
export function findClientFaults(values: ClientValues): ClientFaults {
  const faults = new Map<string, UriFault>();
  const nameFault = findClientNameFault(values.client_name.trim());
  if (nameFault !== undefined) faults.set('client_name', faultOf(nameFault));
  for (const name of uriLists) checkList(values, name, faults);
  if (filledRows(values.redirect_uris).length === 0) {
    faults.set('redirect_uris.0', faultOf(labels.enterAtLeastOneRedirect));
  }
  for (const name of webUris) {
    const text = values[name].trim();
    const fault = text === '' ? undefined : findWebUriFault(text);
    if (fault !== undefined) faults.set(name, fault);
  }
  checkBytes(values, faults);
  return faults;
}

function findRowFault(values: ClientValues, name: UriListName, text: string): UriFault | undefined {
  if (name === 'allowed_cors_origins') return findCorsOriginFault(text);
  const holdsSecret = values.token_endpoint_auth_method !== 'none';
  // The server knows what its operator allows.
  return dependsOnServer(text, holdsSecret) ? undefined : findRedirectUriFault(text, holdsSecret);
}

function checkList(values: ClientValues, name: UriListName, faults: Map<string, UriFault>): void {
  const seen = new Set<string>();
  for (const [index, row] of values[name].entries()) {
    const text = row.trim();
    if (text === '') continue;
    const fault = seen.has(text)
      ? faultOf(labels.duplicateEntry)
      : findRowFault(values, name, text);
    seen.add(text);
    if (fault !== undefined) faults.set(`${name}.${index}`, fault);
  }
  const count = filledRows(values[name]).length;
  if (count > MAX_LIST_ITEMS) {
    faults.set(name, faultOf(labels.theMaximumIsEntries(MAX_LIST_ITEMS, count)));
  }
}

function checkBytes(values: ClientValues, faults: Map<string, UriFault>): void {
  const texts = [...uriLists, 'scopes', 'optional_scopes'] as const;
  const sum = texts
    .flatMap((name) => filledRows(values[name]))
    .reduce((bytes, text) => bytes + new TextEncoder().encode(text).length, 0);
  if (sum <= MAX_LISTS_BYTES || faults.has('redirect_uris')) return;
  const reason = labels.allListsTogetherCan(MAX_LISTS_BYTES, sum);
  faults.set('redirect_uris', faultOf(reason));
}
