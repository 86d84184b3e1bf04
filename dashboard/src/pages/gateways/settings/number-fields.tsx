import { type ReactNode, useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { SPAN_UNITS, type SpanDraft, spanSeconds, wholeNumber } from '../../../lib/time-span.ts';
import { Field, Input, Select } from '../../../ui/field.tsx';
import { labels } from './labels.ts';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  className?: string;
}

/** A number to type. */
export function NumberField({
  input,
  className,
  ...field
}: FieldProps & { input: UseFormRegisterReturn }) {
  return (
    <Field {...field} className={className ?? 'max-w-60'}>
      <Input inputMode="decimal" className="tabular-nums" {...input} />
    </Field>
  );
}

interface SpanFieldProps extends FieldProps {
  amount: UseFormRegisterReturn;
  unit: UseFormRegisterReturn;
}

/** A stretch of time: a number and its unit. */
export function SpanField({ amount, unit, label, className, ...field }: SpanFieldProps) {
  const unitId = useId();
  return (
    <Field {...field} label={label} className={className ?? 'max-w-72'}>
      <div className="flex gap-2">
        <Input inputMode="numeric" className="min-w-0 flex-1 tabular-nums" {...amount} />
        {/* The label of the field is that of the number. */}
        <Select {...unit} id={unitId} aria-label={`${label}: unit`} className="w-32 shrink-0">
          {SPAN_UNITS.map(({ seconds, one }) => (
            <option key={seconds} value={seconds}>
              {labels.s(one)}
            </option>
          ))}
        </Select>
      </div>
    </Field>
  );
}

/** What is wrong with a whole number as it is typed; true when nothing is. */
export function checkNumber(text: string, least: number, most: number): string | true {
  const number = wholeNumber(text);
  if (Number.isNaN(number)) return labels.enterAWholeNumber;
  if (number < least || number > most) {
    return labels.enterANumberFromTo(least.toLocaleString('en'), most.toLocaleString('en'));
  }
  return true;
}

/** The same for a stretch of time. */
export function checkSpan(draft: SpanDraft, most: { seconds: number; words: string }) {
  const seconds = spanSeconds(draft);
  if (Number.isNaN(seconds)) return labels.enterAWholeNumber;
  return (seconds >= 1 && seconds <= most.seconds) || labels.enter1SecondTo(most.words);
}
