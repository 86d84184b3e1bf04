import { clsx } from 'clsx';
import { CornerDownRight, Paperclip, Wrench } from '../../../ui/icons.tsx';
import { type ReactNode, useState } from 'react';
import type { Message, Part } from '../../../lib/conversation/conversation.ts';
import { formatBytes, formatCount } from '../../../lib/figures.ts';
import { labels } from '../labels.ts';
import { JsonView } from './json-view.tsx';

const ROLES: Readonly<Record<string, string>> = {
  system: labels.system,
  developer: labels.developer,
  user: labels.user,
  assistant: labels.assistant,
  model: labels.assistant,
  tool: labels.tool,
};

const EDGES: Readonly<Record<string, string>> = {
  user: 'border-info-line',
  assistant: 'border-accent',
  model: 'border-accent',
};

// How an answer ends when all is well says nothing.
const ORDINARY_ENDS = /^(?:stop|end_turn|STOP|tool_calls|tool_use|completed)$/;

interface MessageViewProps {
  message: Message;
  /** It is what somebody came to read: more of it is shown. */
  isAnswer?: boolean;
}

/** What one side said at once. Everything in it is text: nothing of it is ever a page of ours. */
export function MessageView({ message, isAnswer = false }: MessageViewProps) {
  const { role, parts, end } = message;
  const name = Object.hasOwn(ROLES, role) ? ROLES[role] : role;
  return (
    <li className={clsx('border-l-2 pl-3', EDGES[role] ?? 'border-line')}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="font-medium">{name}</span>
        {end !== undefined && !ORDINARY_ENDS.test(end) && (
          <span className="text-warning">finished: {end}</span>
        )}
      </p>
      <div className="mt-1 space-y-2.5">
        {parts.map((part, index) =>
          isAnswer && part.kind === 'text' ? (
            <LongText key={index} text={part.text} first={SHOWN_OF_ANSWER} />
          ) : (
            <PartView key={index} part={part} />
          ),
        )}
        {parts.length === 0 && <p className="text-sm text-muted italic">{labels.empty}</p>}
      </div>
    </li>
  );
}

function PartView({ part }: { part: Part }): ReactNode {
  switch (part.kind) {
    case 'text':
      return <LongText text={part.text} />;
    case 'refusal':
      return (
        <div className="text-danger">
          <p className="text-sm font-medium">{labels.refusal}</p>
          <LongText text={part.text} />
        </div>
      );
    case 'thinking':
      return (
        <details className="rounded-lg border border-line px-3 py-2 text-muted">
          <summary className="text-sm font-medium">{labels.thinking}</summary>
          <div className="mt-1.5">
            <LongText text={part.text} />
          </div>
        </details>
      );
    case 'call':
      return <Call part={part} />;
    case 'result':
      return <Result part={part} />;
    case 'media':
      return <Media part={part} />;
    case 'other':
      return (
        <Labelled icon={null} label={part.type}>
          <JsonView text={part.json} label={part.type} firstLines={20} />
        </Labelled>
      );
  }
}

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;

function Call({ part: { name, input } }: { part: PartOf<'call'> }) {
  const isEmpty = input === '' || input === '{}';
  return (
    <Labelled
      icon={<Wrench aria-hidden className="size-3.5" />}
      label={
        <>
          Calls <code className="font-mono">{name}</code>
        </>
      }
    >
      {!isEmpty && <JsonView text={input} label={labels.inputOf(name)} firstLines={20} />}
    </Labelled>
  );
}

function Result({ part: { name, isError, parts } }: { part: PartOf<'result'> }) {
  return (
    <Labelled
      icon={<CornerDownRight aria-hidden className="size-3.5" />}
      label={
        <span className={clsx(isError && 'text-danger')}>
          {isError ? labels.failure : labels.answer} of{' '}
          <code className="font-mono">{name ?? 'a tool'}</code>
        </span>
      }
    >
      {parts.map((inner, index) => (
        <PartView key={index} part={inner} />
      ))}
    </Labelled>
  );
}

function Media({ part: { what, type, size, url } }: { part: PartOf<'media'> }) {
  const told = [type, size === undefined ? undefined : formatBytes(size)].filter(Boolean);
  return (
    <p className="flex min-w-0 items-center gap-2 rounded-lg border border-dashed border-edge px-3 py-2 text-sm">
      <Paperclip aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="shrink-0 font-medium">{what}</span>
      {told.length > 0 && (
        <bdi className="min-w-0 truncate text-muted" title={told.join(', ')}>
          {told.join(', ')}
        </bdi>
      )}
      {url !== undefined && (
        <a href={url} target="_blank" rel="noreferrer" title={url} className="truncate underline">
          {url}
        </a>
      )}
    </p>
  );
}

interface LabelledProps {
  icon: ReactNode;
  label: ReactNode;
  children: ReactNode;
}

function Labelled({ icon, label, children }: LabelledProps) {
  return (
    <div className="space-y-1.5">
      <p className="flex items-center gap-1.5 text-sm text-muted wrap-anywhere">
        {icon}
        <span className="min-w-0">{label}</span>
      </p>
      {children}
    </div>
  );
}

const SHOWN_LETTERS = 1_500;
const SHOWN_OF_ANSWER = 8_000;
const MOST_LETTERS = 200_000;

/** A text in its own lines; of a long one the beginning. */
function LongText({ text, first = SHOWN_LETTERS }: { text: string; first?: number }) {
  const [most, setMost] = useState(first);
  const left = text.length - most;
  return (
    <>
      <p dir="auto" className="text-[0.9375rem] whitespace-pre-wrap wrap-anywhere">
        {left > 0 ? `${text.slice(0, most)}…` : text}
      </p>
      {left > 0 && (
        <button
          type="button"
          onClick={() => setMost(most + MOST_LETTERS)}
          className="min-h-6 text-sm text-muted underline"
        >
          {labels.showMoreCharacters(formatCount(left))}
        </button>
      )}
    </>
  );
}
