import { escapeHtml } from '../lib/escape-html.ts';
import type { Theme } from './theme.ts';

/** The addresses that show the one page of the dashboard, as Fastify takes them. */
export const DASHBOARD_PATHS = ['/', '/accounts', '/accounts/*', '/profile', '/profile/*'] as const;

/** What the page of the dashboard says of the installation. */
export interface DashboardFacts {
  /** Of the page, until its script has a better one. */
  title: string;
  /** What its script learns: the contents of `<meta name="latchkey:…">` by the rest of their names. */
  meta: Readonly<Record<string, string>>;
}

/** What differs from answer to answer. */
export interface DashboardView {
  theme: Theme;
  /** The only styles of the page that stand in no file are those that carry it. */
  nonce: string;
}

const PLACEHOLDERS = /__(?:CSP_NONCE|THEME|TITLE)__|<!--meta-->/g;

/** Fills in the built `index.html`, or in development its source. */
export function fillTemplate(
  template: string,
  { title, meta }: DashboardFacts,
  { theme, nonce }: DashboardView,
): string {
  const values: Record<string, string> = {
    __CSP_NONCE__: escapeHtml(nonce),
    __THEME__: theme,
    __TITLE__: escapeHtml(title),
    '<!--meta-->': Object.entries(meta).map(metaTag).join('\n    '),
  };
  // All in one pass: what is filled in may look like a placeholder too.
  return template.replace(PLACEHOLDERS, (placeholder) => values[placeholder] ?? '');
}

function metaTag([name, content]: [string, string]): string {
  return `<meta name="latchkey:${name}" content="${escapeHtml(content)}" />`;
}
