import { clsx } from 'clsx';
import { LoaderCircle } from './icons.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { Link, type LinkProps } from '@tanstack/react-router';

/** `danger` takes something away at once; `danger-plain` asks first. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger' | 'danger-plain';

const LOOKS: Readonly<Record<ButtonLook, string>> = {
  primary: 'font-semibold border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'font-medium border-edge bg-surface text-text shadow-card hover:bg-hover',
  quiet: 'font-medium border-transparent bg-transparent text-text hover:bg-hover',
  danger: 'font-semibold border-transparent bg-danger text-on-danger hover:bg-danger-strong',
  'danger-plain': 'font-medium border-edge bg-surface text-danger shadow-card hover:bg-danger-soft',
};

function lookOf(look: ButtonLook, isSmall: boolean): string {
  return clsx(
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg border whitespace-nowrap no-underline',
    'disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60',
    isSmall ? 'min-h-8 px-2.5 text-sm' : 'min-h-10 px-3.5 text-[0.9375rem]',
    LOOKS[look],
  );
}

/** What a button is besides what it does. */
interface Appearance {
  look?: ButtonLook;
  isSmall?: boolean;
  icon?: ReactNode;
}

interface ButtonProps extends ComponentProps<'button'>, Appearance {
  /** What it does is under way: it says so, and does nothing else meanwhile. */
  isBusy?: boolean;
}

/** A button that does something. One that leads somewhere is a {@link LinkButton}. */
export function Button({
  look = 'plain',
  isSmall = false,
  isBusy = false,
  icon,
  className,
  children,
  disabled,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      // Disabled, it would lose the focus, and with it the place of whoever uses the keyboard.
      {...(isBusy && { 'aria-disabled': true, 'aria-busy': true })}
      disabled={disabled}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={clsx(lookOf(look, isSmall), className)}
    >
      {isBusy ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  );
}

/** A button with a picture alone; `label` says what it does. */
export function IconButton({
  label,
  icon,
  className,
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={clsx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-hover hover:text-text disabled:opacity-50',
        className,
      )}
    >
      {icon}
    </button>
  );
}

type LinkButtonProps = LinkProps & Appearance & { className?: string; children?: ReactNode };

/** A link to another page that looks like a button. */
export function LinkButton({
  look = 'plain',
  isSmall = false,
  icon,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link {...rest} className={clsx(lookOf(look, isSmall), className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A link to something that is none of these pages, in a tab of its own. */
export function AnchorButton({
  look = 'plain',
  isSmall = false,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & Appearance) {
  return (
    <a
      target="_blank"
      rel="noreferrer"
      {...rest}
      className={clsx(lookOf(look, isSmall), className)}
    >
      {icon}
      {children}
    </a>
  );
}
