import { useRef, useState } from 'react';
import type { FieldPath } from 'react-hook-form';
import { type UriFault, faultOf } from '../../../lib/web-uri.ts';
import { type ApiForm, useApiForm } from '../../../ui/form.tsx';
import { type ClientFaults, findClientFaults } from './client-faults.ts';
import { type ClientValues, type UriListName, rowPath } from './client-values.ts';

/** The form of a client as its parts see it. */
export interface ClientForm {
  values: ClientValues;
  set: <Name extends keyof ClientValues>(name: Name, value: ClientValues[Name]) => void;
  /** Several at once. */
  assign: (values: Partial<ClientValues>) => void;
  removeRow: (name: UriListName, index: number) => void;
  /** From now on the field shows what is wrong with it. */
  touch: (...paths: string[]) => void;
  /** What is wrong with a field, once somebody has been there; what the server refused at once. */
  faultAt: (path: string) => UriFault | undefined;
  /** Everything that is wrong, whether it is shown or not. */
  faults: ClientFaults;
  /** Where the server has found something wrong that still stands there. */
  refusedPaths: readonly string[];
  api: ApiForm<ClientValues>;
}

interface ClientFormOptions {
  values: ClientValues;
  save: (values: ClientValues, idempotencyKey: string) => Promise<unknown>;
  /** Faults that only this page knows. */
  findMore?: (values: ClientValues) => ClientFaults;
  isGuarded?: boolean;
}

const NO_FAULTS: ClientFaults = new Map();

/** Of a new client or of one that is changed. */
export function useClientForm(options: ClientFormOptions): ClientForm {
  const { save, findMore = () => NO_FAULTS, isGuarded = true } = options;
  const sent = useRef(options.values);
  const api = useApiForm<ClientValues>({
    values: options.values,
    isGuarded,
    fieldOf: (path) => rowPath(sent.current, path),
    save: (values, key) => {
      sent.current = values;
      return save(values, key);
    },
  });
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const values = api.watch();
  const faults = new Map([...findClientFaults(values), ...findMore(values)]);
  const refusals = refusalsOf(api.formState.errors);

  const assign = (some: Partial<ClientValues>): void => {
    for (const [name, value] of Object.entries(some)) {
      api.setValue(name as FieldPath<ClientValues>, value, { shouldDirty: true });
      api.clearErrors(name as FieldPath<ClientValues>);
    }
  };
  const touch = (...paths: string[]): void => setTouched((old) => new Set([...old, ...paths]));
  return {
    values,
    assign,
    set: (name, value) => assign({ [name]: value }),
    removeRow: (name, index) => {
      assign({ [name]: values[name].toSpliced(index, 1) });
      setTouched((old) => withoutRow(old, name, index));
    },
    touch,
    faultAt: (path) => {
      const refusal = refusals.get(path);
      return refusal ?? (touched.has(path) ? faults.get(path) : undefined);
    },
    faults,
    refusedPaths: [...refusals.keys()],
    api: {
      ...api,
      submit: (event) => {
        // Those of the last attempt would keep this one from being sent.
        api.clearErrors();
        api.submit(event);
      },
    },
  };
}

/** The rows behind one that is taken away move up. */
function withoutRow(
  touched: ReadonlySet<string>,
  name: UriListName,
  index: number,
): ReadonlySet<string> {
  const moved = [...touched].flatMap((path) => {
    const [list, row = ''] = path.split('.');
    if (list !== name || row === '' || Number(row) < index) return [path];
    return Number(row) === index ? [] : [`${name}.${Number(row) - 1}`];
  });
  return new Set(moved);
}

interface FormError {
  message?: string;
}

/** What the API said about the fields: of entries of lists, each by itself. */
function refusalsOf(errors: object): Map<string, UriFault> {
  const refusals = new Map<string, UriFault>();
  for (const [name, error] of Object.entries(errors) as [string, FormError | FormError[]][]) {
    if (name === 'root') continue;
    if (Array.isArray(error)) {
      for (const [index, entry] of error.entries()) {
        const message = entry?.message;
        if (message !== undefined) refusals.set(`${name}.${index}`, faultOf(message));
      }
    } else if (error.message !== undefined) {
      refusals.set(name, faultOf(error.message));
    }
  }
  return refusals;
}
