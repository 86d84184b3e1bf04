import { useEffect } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { Field, Input } from '../ui/field.tsx';
import { useFocusOnFault } from './focus-on-fault.ts';

/** A code as the person has typed it. */
export interface TypedCode {
  kind: 'totp' | 'recovery';
  text: string;
}

interface CodeFieldProps {
  code: TypedCode;
  onChange: (code: TypedCode) => void;
  /** Which kinds of codes the person has. */
  has: Record<TypedCode['kind'], boolean>;
  error?: string | undefined;
  /** Whether it takes the focus when it appears. */
  isFirst?: boolean;
}

/** The code of an authenticator app, or a recovery code instead. */
export function CodeField(props: CodeFieldProps) {
  const { code, onChange, has } = props;
  const other = code.kind === 'totp' ? 'recovery' : 'totp';
  return (
    <div className="space-y-2">
      <CodeInput key={code.kind} {...props} />
      {has[other] && (
        <button
          type="button"
          onClick={() => onChange({ kind: other, text: '' })}
          className="min-h-6 text-sm text-accent underline underline-offset-2"
        >
          {other === 'recovery'
            ? 'Use a recovery code instead'
            : 'Use your authenticator app instead'}
        </button>
      )}
    </div>
  );
}

function CodeInput({ code, onChange, error, isFirst = false }: CodeFieldProps) {
  const isTotp = code.kind === 'totp';
  const field = useFocusOnFault(error !== undefined);
  useEffect(() => {
    if (isFirst) field.current?.focus();
  }, [isFirst, field]);
  return (
    <Field
      label={isTotp ? 'Code of your authenticator app' : 'Recovery code'}
      hint={isTotp ? undefined : 'Each of your recovery codes works once.'}
      error={error}
    >
      <Input
        {...(isTotp
          ? { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 11 }
          : { autoCapitalize: 'characters', spellCheck: false })}
        ref={field}
        value={code.text}
        onChange={(event) => onChange({ ...code, text: event.target.value })}
        className="font-mono"
      />
    </Field>
  );
}

const WRONG_CODE = 3064;
const CODE_NEEDED = 3070;

/** What a refusal says of the code; undefined when it is about something else. */
export function codeFault(error: unknown, { kind, text }: TypedCode): string | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  if (error.fieldFaults.some(({ path }) => path.endsWith('_code') || path === '')) {
    return kind === 'totp' ? 'A code has six digits.' : 'This is not a recovery code.';
  }
  if (error.code !== WRONG_CODE && error.code !== CODE_NEEDED) return undefined;
  return text === '' ? 'Enter a code.' : 'This code is wrong or already used.';
}

/** The body of a request that shows the code; undefined while nothing is typed. */
export function codeBody({
  kind,
  text,
}: TypedCode): { totp_code: string } | { recovery_code: string } | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  // Apps show it in two groups.
  return kind === 'totp' ? { totp_code: typed.replaceAll(/\s/g, '') } : { recovery_code: typed };
}
