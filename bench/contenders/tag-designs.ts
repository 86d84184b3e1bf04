import { jsonbDesign } from './jsonb-design.ts';
import { rowsDesign } from './rows-design.ts';
import type { TagDesign } from './tag-design.ts';

/** What Latchkey is compared with, by name. */
export const tagDesigns: Readonly<Record<string, TagDesign>> = {
  jsonb: jsonbDesign,
  rows: rowsDesign,
};
