import type { Theme } from '../../http/theme.ts';
import { type Html, html } from './html.ts';

/** What every page needs to know. */
export interface Surroundings {
  /** Name of this installation. */
  brand: string;
  /** Addresses of our own files by their names, see assets.ts. */
  assets: ReadonlyMap<string, string>;
}

export interface PageContent {
  /** Also the heading. */
  title: string;
  /** Below the heading, one sentence. */
  lead?: Html | string | undefined;
  /** What went wrong with what was sent before; announced to screen readers first. */
  error?: string | undefined;
  body?: Html | undefined;
  /** Names of script files. */
  scripts?: readonly string[];
}

/** The name of the installation as a title shows it. */
export function displayName(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

/** A whole page: one card, with what is asked of the person. */
export function renderPage(
  { brand, assets }: Surroundings,
  { title, lead, error, body, scripts = [] }: PageContent,
  theme: Theme,
): Html {
  const name = displayName(brand);
  return html`<!doctype html>
    <html lang="en" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
        <meta name="robots" content="noindex" />
        <title>${error === undefined ? '' : 'Error: '}${title} · ${name}</title>
        <link rel="stylesheet" href="${assets.get('style.css')}" />
        <link rel="icon" type="image/svg+xml" href="${assets.get('icon.svg')}" />
        ${['forms.js', ...scripts].map((script) => html`<script type="module" src="${assets.get(script)}"></script> `)}
      </head>
      <body>
        <main class="card">
          <p class="brand">
            <img src="${assets.get('icon.svg')}" alt="" width="28" height="28" />${name}
          </p>
          <h1>${title}</h1>
          ${lead !== undefined && html`<p class="lead">${lead}</p> `}${
            error !== undefined && html`<p class="error" role="alert" id="error">${error}</p> `
          }${body}
        </main>
      </body>
    </html> `;
}
