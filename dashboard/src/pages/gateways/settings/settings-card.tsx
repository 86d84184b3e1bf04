import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { Button } from '../../../ui/button.tsx';
import type { ApiForm } from '../../../ui/form.tsx';
import { Card } from '../../../ui/page.tsx';
import { SaveFailure } from '../../../ui/states.tsx';
import { labels } from './labels.ts';

interface SettingsCardProps<Values extends FieldValues> {
  /** For links to it. */
  id: string;
  title: string;
  lead: ReactNode;
  form: ApiForm<Values>;
  children: ReactNode;
}

/** Some settings that are saved together. */
export function SettingsCard<Values extends FieldValues>({
  id,
  title,
  lead,
  form,
  children,
}: SettingsCardProps<Values>) {
  const mayChange = useAccountOfPage().can('ai-gateway.write');
  const { isDirty } = form.formState;
  return (
    <form id={id} aria-label={title} onSubmit={form.submit} noValidate className="scroll-mt-6">
      {form.guard}
      <Card
        title={title}
        lead={lead}
        footer={
          mayChange && (
            <>
              {isDirty && <span className="mr-auto text-sm text-muted">{labels.notSavedYet}</span>}
              {isDirty && !form.isSaving && (
                <Button
                  look="quiet"
                  onClick={({ currentTarget }) => {
                    // This button is about to go, and the focus would go with it.
                    currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
                    form.reset();
                  }}
                >
                  {labels.discard}
                </Button>
              )}
              <Button
                type="submit"
                // One card among many stands out as soon as it has something to save.
                look={isDirty || form.isSaving ? 'primary' : 'plain'}
                isBusy={form.isSaving}
                // Disabled, it would lose the focus as soon as it has done its work.
                aria-disabled={!isDirty}
                onClick={(event) => !isDirty && event.preventDefault()}
              >
                {labels.save}
              </Button>
            </>
          )
        }
      >
        <fieldset disabled={!mayChange} className="min-w-0 space-y-5">
          <legend className="sr-only">{title}</legend>
          {children}
          <SaveFailure error={form.failure} />
        </fieldset>
      </Card>
    </form>
  );
}

/** What the settings of a card amount to, told anew with each change. */
export function InWords({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="rounded-lg border border-line bg-sunken px-3.5 py-2.5 text-[0.9375rem] wrap-anywhere"
    >
      {children}
    </p>
  );
}
