import { clsx } from 'clsx';
import { ChevronDown, Eye, EyeOff, Search } from './icons.tsx';
import {
  type ComponentProps,
  type KeyboardEventHandler,
  type ReactNode,
  createContext,
  use,
  useId,
  useState,
} from 'react';
import { FIELD } from './class-names.ts';
import { isComposing } from './composition.ts';

interface FieldIds {
  control: string;
  description: string | undefined;
  isInvalid: boolean;
}

const FieldContext = createContext<FieldIds | undefined>(undefined);

/** What a control inside a {@link Field} needs to be tied to its label, hint and error. */
function useFieldProps() {
  const ids = use(FieldContext);
  return ids === undefined
    ? {}
    : {
        id: ids.control,
        'aria-describedby': ids.description,
        'aria-invalid': ids.isInvalid || undefined,
      };
}

interface FieldProps {
  label: ReactNode;
  /** Stays while an error shows. */
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
  className?: string;
  children: ReactNode;
}

/** One control with its label, a hint, and what is wrong with it. */
export function Field({ label, hint, error, isOptional = false, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const description = [errorId, hintId].filter((part) => part !== undefined).join(' ');
  const ids: FieldIds = {
    control: id,
    description: description === '' ? undefined : description,
    isInvalid: error !== undefined,
  };
  return (
    <div className={clsx('space-y-1.5', className)}>
      <label htmlFor={id} className="block text-[0.9375rem] font-medium">
        {label}
        {isOptional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      <FieldContext value={ids}>{children}</FieldContext>
      {error !== undefined && (
        <p id={errorId} className="text-sm text-danger">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <div id={hintId} className="text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}

/** While an input method composes text, its keys, such as Enter for a candidate, are not keys of the page. */
function outsideComposition<T>(handle: KeyboardEventHandler<T>): KeyboardEventHandler<T> {
  return (event) => {
    if (!isComposing(event.nativeEvent)) handle(event);
  };
}

/** One line to type; in a {@link Field}, tied to what that says. */
export function Input({ className, onKeyDown, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      autoComplete="off"
      {...useFieldProps()}
      {...rest}
      onKeyDown={onKeyDown && outsideComposition(onKeyDown)}
      className={clsx(FIELD, 'min-h-10', className)}
    />
  );
}

/** Looks for something in a list; its label stands in it. */
export function SearchInput({
  label,
  className,
  ...rest
}: Omit<ComponentProps<'input'>, 'type'> & { label: string }) {
  return (
    <div className={clsx('relative w-full sm:max-w-sm', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
      <Input {...rest} type="search" aria-label={label} placeholder={label} className="pl-9" />
    </div>
  );
}

interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** What it is, for its button. Default: the password. */
  what?: string;
}

/** A password, or another secret, that can be looked at while it is typed. */
export function PasswordInput({ className, what = 'password', ...rest }: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...rest} type={isShown ? 'text' : 'password'} className={clsx('pr-11', className)} />
      <button
        type="button"
        aria-label={`${isShown ? 'Hide' : 'Show'} the ${what}`}
        onClick={() => setIsShown(!isShown)}
        className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-r-lg text-muted hover:text-text"
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** Several lines to type. */
export function Textarea({ className, onKeyDown, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={4}
      {...useFieldProps()}
      {...rest}
      onKeyDown={onKeyDown && outsideComposition(onKeyDown)}
      className={clsx(FIELD, className)}
    />
  );
}

/** The browser's own list to choose one of: it works with every keyboard and on every telephone. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={clsx('relative', className)}>
      <select
        {...useFieldProps()}
        {...rest}
        className={clsx(FIELD, 'min-h-10 appearance-none pr-9 text-ellipsis')}
      />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-3 right-2.5 size-4 text-muted"
      />
    </div>
  );
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'children'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A box to tick, with its label beside it; `type="radio"` makes it one of several. */
export function Check({ label, hint, className, type = 'checkbox', ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={clsx('flex items-start gap-2.5', className)}>
      <input
        id={id}
        type={type}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        {...rest}
        className="mt-[0.1875rem] size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-[0.9375rem] leading-snug">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="mt-0.5 text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

interface FieldsetProps {
  legend: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** Several controls that answer one question. */
export function Fieldset({ legend, hint, error, className, children }: FieldsetProps) {
  const id = useId();
  return (
    <fieldset
      className={clsx('min-w-0', className)}
      aria-describedby={error === undefined ? undefined : id}
      data-invalid={error === undefined ? undefined : ''}
    >
      <legend className="mb-1.5 text-[0.9375rem] font-medium">{legend}</legend>
      {hint !== undefined && <div className="-mt-1 mb-2.5 text-sm text-muted">{hint}</div>}
      {error !== undefined && (
        <p id={id} className="mb-2 text-sm text-danger">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}
