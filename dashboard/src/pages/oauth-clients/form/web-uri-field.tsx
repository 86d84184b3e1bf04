import type { ReactNode } from 'react';
import { Field, Input } from '../../../ui/field.tsx';
import type { WebUriName } from './client-values.ts';
import { Suggestion } from './suggestion.tsx';
import type { ClientForm } from './use-client-form.ts';

interface WebUriFieldProps {
  client: ClientForm;
  name: WebUriName;
  label: string;
  hint: ReactNode;
  placeholder: string;
  isOptional?: boolean;
}

/** The address of a page or a picture. */
export function WebUriField(props: WebUriFieldProps) {
  const { client, name, label, hint, placeholder, isOptional = true } = props;
  const fault = client.faultAt(name);
  const text = client.values[name];
  return (
    <Field
      label={label}
      isOptional={isOptional}
      error={fault?.reason}
      hint={
        <>
          {fault?.suggestion !== undefined && (
            <p className="mb-1">
              <Suggestion fault={fault} onAccept={(next) => client.set(name, next)} />
            </p>
          )}
          {hint}
        </>
      }
    >
      <Input
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        className="font-mono text-sm"
        placeholder={placeholder}
        value={text}
        onChange={(event) => client.set(name, event.target.value)}
        onBlur={() => {
          if (text !== text.trim()) client.set(name, text.trim());
          if (text.trim() !== '') client.touch(name);
        }}
      />
    </Field>
  );
}
