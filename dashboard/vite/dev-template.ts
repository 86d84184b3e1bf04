import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Plugin } from 'vite';
import {
  DASHBOARD_PATHS,
  type DashboardFacts,
  fillTemplate,
} from '../../src/http/dashboard-template.ts';
import { themeOf } from '../../src/http/theme.ts';

export interface DevTemplateOptions {
  /** Origin of the server that answers everything which is not the dashboard. */
  server: string;
  facts: DashboardFacts;
}

/** What Vite itself answers: its client, the sources, and the packages that it prepared. */
const VITE_PATHS = String.raw`/(?:@|__|src/|node_modules/|dashboard/|index\.html)`;

/**
 * Has Vite stand where the server does in production: it fills in the page in the same way, and hands
 * every other request on.
 */
export function devTemplate({ server, facts }: DevTemplateOptions): Plugin {
  const requests = new AsyncLocalStorage<IncomingMessage>();
  return {
    name: 'latchkey:dev-template',
    apply: 'serve',
    config: () => ({ server: { proxy: { [otherPaths()]: { target: server, ws: true } } } }),
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => requests.run(request, next));
    },
    transformIndexHtml: {
      order: 'pre',
      handler(template) {
        const theme = themeOf(requests.getStore()?.headers.cookie);
        // There is no policy here that would ask for a nonce.
        return fillTemplate(template, facts, { theme, nonce: '' });
      },
    },
  };
}

/** Matches the targets that belong to the server, as Vite takes it. */
function otherPaths(): string {
  const pages = DASHBOARD_PATHS.map((path) => path.replace('*', '[^?]*')).join('|');
  return String.raw`^(?!(?:${pages})(?:\?|$)|${VITE_PATHS})`;
}
