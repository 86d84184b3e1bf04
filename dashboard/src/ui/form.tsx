import { useBlocker, useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { ApiFailure } from '../api/failure.ts';
import { randomKey } from '../lib/random-key.ts';
import { isLeavingForGood } from '../session/leaving.ts';
import { focusFirstFault } from './focus-first-fault.ts';
import { LeaveQuestion } from './dialog.tsx';
import { useUnsavedInput } from './unsaved-input.ts';

interface ApiFormOptions<Values extends FieldValues> {
  values: DefaultValues<Values>;
  /**
   * Sends what was filled in. A create request passes `idempotencyKey` on in the header of that name: it stays
   * the same until something is changed or saved, so that trying again after a lost answer creates nothing
   * twice.
   */
  save: (values: Values, idempotencyKey: string) => Promise<unknown>;
  /** Where the fault of a member of the body is shown, when it is not called as the field is. */
  fieldOf?: (path: string) => string;
  /** Leaving the page asks first while something is changed and not saved. Default: true. */
  isGuarded?: boolean;
}

export interface ApiForm<Values extends FieldValues> extends UseFormReturn<Values> {
  /** For `onSubmit` of the form. */
  submit: (event: FormEvent) => void;
  isSaving: boolean;
  /** What no field can show. */
  failure: unknown;
  /** To be placed in the form: asks before the page is left with something unsaved. */
  guard: ReactNode;
}

/**
 * A form whose faults the API tells: each beside its field, the others in `failure`. What was filled in stays
 * until it is saved; from then on it is what further changes are changes of.
 */
export function useApiForm<Values extends FieldValues>({
  values,
  save,
  fieldOf = (path) => path,
  isGuarded = true,
}: ApiFormOptions<Values>): ApiForm<Values> {
  const form = useForm<Values>({ defaultValues: values });
  // Read here, for the form tells only whoever has asked.
  const { isDirty } = form.formState;
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const refusal = useFocusOnFault(setFailure);
  const isUnderWay = useRef(false);
  useUnsavedInput(isUnderWay, isDirty && !isSaving);
  const isReset = useRef(false);
  const keyOf = useIdempotencyKey();

  const send = async (filled: Values): Promise<boolean> => {
    const key = keyOf(filled);
    try {
      await save(filled, key.value);
      key.forget();
      return true;
    } catch (error) {
      if (error instanceof ApiFailure && error.code === KEY_REUSED) key.forget();
      const rest = showFaults(form, error, fieldOf);
      setFailure(rest);
      refusal.tell(error);
      return false;
    }
  };
  const attempt = async (): Promise<void> => {
    isReset.current = false;
    setFailure(undefined);
    // What the API said of a value without a control would count as a fault for ever.
    form.clearErrors();
    let saved: Values | undefined;
    await form.handleSubmit(async (filled) => {
      if (await send(filled)) saved = filled;
    })();
    // What was typed while it was being saved is a change already.
    if (saved !== undefined && !isReset.current) form.reset(saved, { keepValues: true });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    // Asked of no state: that of a second click is the one before the first.
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    refusal.lookAt(event.currentTarget);
    setIsSaving(true);
    void attempt().finally(() => {
      isUnderWay.current = false;
      setIsSaving(false);
    });
  };
  return {
    ...form,
    reset: (...to) => {
      isReset.current = true;
      setFailure(undefined);
      form.reset(...to);
    },
    submit,
    isSaving,
    failure,
    guard: isGuarded ? <UnsavedGuard isUnsaved={isDirty} isSaving={isSaving} /> : null,
  };
}

// The server has seen the key with another body, so that it is of no more use.
const KEY_REUSED = 6014;

/** The key of a body: the same for the same until it is forgotten. */
function useIdempotencyKey() {
  const last = useRef<{ body: string; key: string }>(undefined);
  return (filled: unknown) => {
    const body = JSON.stringify(filled);
    if (last.current?.body !== body) last.current = { body, key: randomKey() };
    return {
      value: last.current.key,
      forget() {
        last.current = undefined;
      },
    };
  };
}

/**
 * After a refusal the focus goes to the first field with a fault. When the form shows none of them after all,
 * `onHidden` is told of the refusal, so that it is not without a word.
 */
function useFocusOnFault(onHidden: (error: unknown) => void) {
  const form = useRef<Element>(null);
  const [refused, setRefused] = useState<{ error: unknown }>();
  useEffect(() => {
    if (refused === undefined || form.current?.isConnected !== true) return;
    if (!focusFirstFault(form.current) && form.current.querySelector('[role="alert"]') === null) {
      onHidden(refused.error);
    }
  }, [refused, onHidden]);
  return {
    lookAt(element: Element) {
      form.current = element;
    },
    tell: (error: unknown) => setRefused({ error }),
  };
}

/** Shows each fault beside its field; returns the failure when some of it has no field. */
function showFaults<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  error: unknown,
  fieldOf: (path: string) => string,
): unknown {
  // Without an error of the form it would count as saved.
  form.setError('root', { message: 'refused' });
  if (!(error instanceof ApiFailure)) return error;
  const values = form.getValues();
  const faults = error.fieldFaults
    .map(({ path, message }) => ({ name: fieldOf(path), message }))
    .filter(({ name }) => (name.split('.')[0] ?? '') in values);
  const [first] = faults;
  for (const { name, message } of faults.toReversed()) {
    form.setError(name as FieldPath<Values>, { message }, { shouldFocus: name === first?.name });
  }
  return faults.length === error.entries.length ? undefined : error;
}

// Set for the moment in which the other forms of the page are asked.
let isLeaving = false;

interface UnsavedGuardProps {
  isUnsaved: boolean;
  isSaving: boolean;
}

/** Asks before the page is left with something unsaved; for what is written outside of a form of ours. */
export function UnsavedGuard({ isUnsaved, isSaving }: UnsavedGuardProps) {
  // Who turns round while the next page is still being loaded has said already that it may go.
  const hasAgreed = useRef(false);
  const router = useRouter();
  const { status, proceed, reset } = useBlocker({
    // What saves a form may lead on before the form knows that it is saved.
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && !isSaving && !isLeaving && !hasAgreed.current && !isSamePage(current, next),
    enableBeforeUnload: () => isUnsaved && !isLeavingForGood(),
    withResolver: true,
  });
  const leave = (): void => {
    hasAgreed.current = true;
    const stop = router.subscribe('onResolved', () => {
      stop();
      // The form may be there still, where only the rest of the page is another one.
      hasAgreed.current = false;
    });
    isLeaving = true;
    setTimeout(() => {
      isLeaving = false;
    });
    proceed?.();
  };
  return (
    <LeaveQuestion
      isOpen={status === 'blocked'}
      title="Leave without saving?"
      lead="Your changes on this page are not saved."
      onLeave={leave}
      onStay={() => reset?.()}
    />
  );
}

interface Place {
  pathname: string;
  search: unknown;
}

/** Whether only the part behind `#` differs, which takes nothing away. */
function isSamePage(one: Place, other: Place): boolean {
  return (
    one.pathname === other.pathname && JSON.stringify(one.search) === JSON.stringify(other.search)
  );
}
