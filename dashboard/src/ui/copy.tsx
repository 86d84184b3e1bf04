import { clsx } from 'clsx';
import { Check, Copy } from './icons.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { writeToClipboard } from '../lib/clipboard.ts';
import { Button, IconButton } from './button.tsx';
import { toast } from './toast.tsx';

const SHOWN_MS = 2_000;

/** Copies a text; true for a moment afterwards. Says so when the browser does not allow it. */
export function useCopy(
  text: string,
  onCopied?: () => void,
): [isCopied: boolean, copy: () => void] {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    void writeToClipboard(text).then(
      () => {
        setIsCopied(true);
        onCopied?.();
      },
      () =>
        toast({ tone: 'danger', text: 'The browser blocked copying. Select the text instead.' }),
    );
  };
  return [isCopied, copy];
}

/** Copies a text that stands beside it. `label` says what: "Copy client id". */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopy(text);
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <IconButton
        label={label}
        onClick={copy}
        icon={<Icon aria-hidden className={clsx('size-4', isCopied && 'text-accent')} />}
        className="size-8"
      />
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** A value that is for other programs: an id, an address, a record. */
export function CopyText({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-1 inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 font-mono text-sm break-all">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** Several lines for other programs: JSON, a command. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex rounded-lg border border-line bg-sunken">
      {/* It scrolls, so the keyboard must come to it (WCAG 2.1.1). */}
      <pre
        role="region"
        aria-label={label}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
        tabIndex={0}
        className="max-h-96 min-w-0 flex-1 overflow-auto rounded-lg p-3.5 pr-2 font-mono text-[0.8125rem] leading-relaxed"
      >
        {text}
      </pre>
      <div className="shrink-0 p-1">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

interface SecretOnceProps {
  /** What it is: "Client secret". */
  name: string;
  value: string;
  /** Told when the person has copied it, with the button or by hand. */
  onCopied?: () => void;
  children?: ReactNode;
}

/** A value that will never be shown again. */
export function SecretOnce({ name, value, onCopied, children }: SecretOnceProps) {
  const [isCopied, copy] = useCopy(value, onCopied);
  const Icon = isCopied ? Check : Copy;
  return (
    <div className="rounded-lg border border-warning-line bg-warning-soft p-4">
      <p className="font-semibold text-warning">{name}: shown only once</p>
      <p className="mt-1 text-[0.9375rem]">
        {children ?? "Copy it now and store it. It can't be shown again."}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <output
          aria-label={name}
          onCopy={onCopied}
          className="min-w-0 flex-1 basis-60 rounded-md border border-warning-line bg-surface px-3 py-2 font-mono text-sm break-all select-all"
        >
          {value}
        </output>
        <Button look="primary" icon={<Icon aria-hidden className="size-4" />} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
    </div>
  );
}
