import { Tabs as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

interface Tab {
  /** What the tab says; none twice. */
  title: string;
  content: ReactNode;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  /** Title of the one that is open, where somebody else keeps it. Default: the first one, at first. */
  open?: string;
  onOpen?: (title: string) => void;
}

/** Several views of one thing, one at a time; the arrow keys go from one to the next. */
export function Tabs({ label, tabs, open, onOpen }: TabsProps) {
  // Ids are made of the values, and in titles there are spaces.
  const valueOf = (title: string): string => String(tabs.findIndex((tab) => tab.title === title));
  return (
    <Primitive.Root
      {...(open === undefined ? { defaultValue: '0' } : { value: valueOf(open) })}
      {...(onOpen && { onValueChange: (value) => onOpen(tabs[Number(value)]?.title ?? '') })}
    >
      <Primitive.List
        aria-label={label}
        className="mb-3 flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line"
      >
        {tabs.map(({ title }) => (
          <Primitive.Trigger
            key={title}
            value={valueOf(title)}
            className="-mb-px min-h-9 shrink-0 -outline-offset-2 border-b-2 border-transparent px-2 text-sm sm:px-3 font-medium text-muted hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {title}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ title, content }) => (
        <Primitive.Content key={title} value={valueOf(title)} className="rounded-lg">
          {content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
