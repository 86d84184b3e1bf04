import { redactFormsIn } from '../../lib/credential-forms.ts';
import { shortenJson } from './shorten-json.ts';

/**
 * The parts of a request or a result that the audit log shows: `true` for a whole value, or the members
 * of an object that are shown, or of each object in an array. A function presents a value itself.
 */
export type AuditView =
  | true
  | { readonly [member: string]: AuditView }
  | ((value: unknown) => unknown);

/** The view of a change; a part without a view does not appear in the log. */
export interface AuditViews {
  request?: AuditView;
  response?: AuditView;
}

/** Replaces every member that a view does not list. */
export const REDACTED = '[redacted]';

// A body may be a thousand times as large; the log is kept for ever.
const MAX_LENGTH = 16_384;

/**
 * Presents a request or a result for the audit log, as JSON. It shows only what the view lists, and
 * removes credentials by their form from that, since any text may contain one. It shortens very long
 * content, with a note of its length and digest.
 * @returns undefined without a view, and for content that is not an object: a bare text may be a secret
 */
export function presentForAudit(content: unknown, view: AuditView | undefined): string | undefined {
  if (view === undefined || typeof content !== 'object' || content === null) return undefined;
  const json = redactFormsIn(JSON.stringify(applyView(content, view)));
  return json.length > MAX_LENGTH ? shortenJson(json, MAX_LENGTH) : json;
}

function applyView(value: unknown, view: AuditView | undefined): unknown {
  if (view === true || isEmpty(value)) return value;
  if (typeof view === 'function') return view(value);
  if (view === undefined || typeof value !== 'object') return REDACTED;
  if (Array.isArray(value)) return value.map((item) => applyView(item, view));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, member]) => [
      name,
      applyView(member, Object.hasOwn(view, name) ? view[name] : undefined),
    ]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

/** Presents a URL without its user information and query, which may contain a credential. */
export function presentUrl(value: unknown): unknown {
  if (typeof value !== 'string' || !URL.canParse(value)) return REDACTED;
  const { protocol, host, pathname } = new URL(value);
  return `${protocol}//${host}${pathname}`;
}

/** Views members that hold no secret, each as a whole. */
export function showMembers(...names: readonly string[]): Readonly<Record<string, true>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}
