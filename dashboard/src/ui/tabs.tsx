import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

interface Tab {
  /** What the tab says; none twice. */
  title: string;
  content: ReactNode;
}

/** Several views of one thing, one at a time; the arrow keys go from one to the next. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <Primitive.Root defaultValue={tabs[0]?.title ?? ''}>
      <Primitive.List aria-label={label} className="mb-3 flex gap-1 border-b border-line">
        {tabs.map(({ title }) => (
          <Primitive.Trigger
            key={title}
            value={title}
            className="-mb-px min-h-9 border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {title}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ title, content }) => (
        <Primitive.Content key={title} value={title} className="rounded-lg">
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
