import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { TriangleAlert } from '../../ui/icons.tsx';
import { useState } from 'react';
import { Card } from '../../ui/page.tsx';
import { attentionOf } from './attention.ts';
import type { Glance } from './glance.ts';
import { serverNow } from '../../lib/server-time.ts';
import { labels } from './labels.ts';

/** What somebody should look after; nothing when all is well. */
export function AttentionCard({ glance, isGuided }: { glance: Glance; isGuided: boolean }) {
  const [nowMs] = useState(serverNow);
  const items = attentionOf(glance, nowMs, isGuided);
  if (items.length === 0) return null;
  return (
    <Card title={labels.needsAttention} isFlush>
      <ul className="divide-y divide-line">
        {items.map(({ id, tone, subject, text, link }) => (
          <li key={id} className="flex gap-3 px-5 py-3">
            <TriangleAlert
              aria-hidden
              className={clsx(
                'mt-0.5 size-5 shrink-0',
                tone === 'danger' ? 'text-danger' : 'text-warning',
              )}
            />
            <p className="min-w-0 text-[0.9375rem] wrap-anywhere">
              <Link {...link} className="font-medium text-accent underline">
                {subject}
              </Link>
              <span className="block text-muted">{text}</span>
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
