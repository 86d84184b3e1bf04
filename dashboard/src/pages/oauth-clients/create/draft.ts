import { readStored, writeStored } from '../../../lib/stored-text.ts';
import { type ClientValues, emptyValues } from '../form/client-values.ts';

/** What was typed stays in this tab, over a reload too. Nothing of it is secret. */
const keyOf = (accountId: string): string => `latchkey:new-client:${accountId}`;

function isLike(value: unknown, example: unknown): boolean {
  if (!Array.isArray(example)) return typeof value === typeof example;
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** What was left here before; undefined when there is nothing, or nothing that fits this version. */
export function readDraft(accountId: string): ClientValues | undefined {
  try {
    const draft: unknown = JSON.parse(readStored('sessionStorage', keyOf(accountId)) ?? 'null');
    if (typeof draft !== 'object' || draft === null) return undefined;
    const fits = Object.entries(emptyValues).every(([name, example]) =>
      isLike((draft as Record<string, unknown>)[name], example),
    );
    return fits ? (draft as ClientValues) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what is typed; forgets it when there is nothing that would be missed. */
export function keepDraft(accountId: string, values: ClientValues): void {
  const text = JSON.stringify(values);
  const isEmpty = text === JSON.stringify(emptyValues);
  writeStored('sessionStorage', keyOf(accountId), isEmpty ? undefined : text);
}
