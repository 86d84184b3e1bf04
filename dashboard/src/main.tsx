import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiFailure } from './api/failure.ts';
import { queryClient } from './api/query-client.ts';
import { surviveTranslation } from './lib/page-translation.ts';
import { loadFirstPage, router } from './router.ts';
import { Interrupted } from './session/interrupted.tsx';
import './styles.css';
import { Toasts } from './ui/toast.tsx';

// Dialogs keep the page behind them still with a style element, which the page's policy lets in by this.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined) setNonce(nonce);

surviveTranslation();
loadFirstPage();

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root, {
  onCaughtError: (error) => {
    // What the API refuses is told where it was asked for; it is no fault of the page.
    if (!(error instanceof ApiFailure)) console.error(error);
  },
}).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Interrupted />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
