import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './vite/precompress.ts';

/**
 * What every page needs, in two files, of which the packages stay the same from version to version; and in a
 * third the small parts that pages have in common. Otherwise there would be dozens of files of a few lines.
 */
const CHUNKS = [
  { name: 'packages', tags: ['$initial' as const], test: /node_modules/, priority: 3 },
  { name: 'start', tags: ['$initial' as const], priority: 2 },
  { name: 'shared', test: /[\\/]src[\\/]/, minShareCount: 3, priority: 1 },
];

// eslint-disable-next-line import/no-default-export -- Vite takes its settings from there
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), precompress()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    // Files below /dashboard never change: their names carry a hash of what is in them.
    assetsDir: 'dashboard',
    assetsInlineLimit: 0,
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
});
