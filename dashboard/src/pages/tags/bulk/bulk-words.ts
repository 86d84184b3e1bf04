import type { BulkItem } from '../../../api/bulk-tags.ts';
import { counted } from '../../../lib/counted.ts';
import { labels } from '../labels.ts';
import type { BulkSelection } from './bulk-parts.ts';

/** What is changed together: "12 resources". */
export function resourcesWords(selection: BulkSelection): string {
  if (selection.kind === 'resources') return counted(selection.resources.length, 'resource');
  return selection.parameters.all === true ? 'all tagged resources' : 'all matching resources';
}

/** Why a resource cannot be changed. */
export function reasonOf({ errors }: BulkItem): string {
  return errors?.map(({ message }) => message).join('; ') ?? labels.unknownReason;
}
