import { usePrefetchQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { CreatedClient } from '../../../api/oauth-client-changes.ts';
import { oauthScopesQuery } from '../../../api/oauth-scopes.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Actions } from '../../../ui/dialog.tsx';
import { Loading, SaveFailure } from '../../../ui/states.tsx';
import { ScopeFields } from '../form/scope-fields.tsx';
import type { ClientForm } from '../form/use-client-form.ts';
import { AddressesStep } from './addresses-step.tsx';
import { ApplicationStep } from './application-step.tsx';
import { labels } from './labels.ts';
import { ReviewStep } from './review-step.tsx';
import { StartOver } from './start-over.tsx';
import { StepNav } from './step-nav.tsx';
import { type StepId, faultyPaths, steps } from './steps.ts';
import { useFocusOnStep } from './use-focus-on-step.ts';
import { NEW, useWizard } from './use-wizard.ts';

interface WizardProps {
  accountId: string;
  /** As the address has it. */
  step: string | undefined;
  onCreated: (created: CreatedClient) => void;
  onStartOver: () => void;
}

/** The form in steps. What is filled in stays in this tab until the client is made. */
export function Wizard({ accountId, step: wanted, onCreated, onStartOver }: WizardProps) {
  usePrefetchQuery(oauthScopesQuery);
  const { client, step, done, faulty, goOn } = useWizard(accountId, wanted, onCreated);
  const { frame, focusFault } = useFocusOnStep(step.id, client.refusedPaths);
  const previous = steps[steps.indexOf(step) - 1];
  const isRefused = faultyPaths(client, step.id).some((path) => client.refusedPaths.includes(path));
  return (
    <form
      noValidate
      // Not what the form of a dialog sends, which stands elsewhere on the page.
      onSubmit={(event) => event.target === event.currentTarget && goOn(event, focusFault)}
      className="space-y-6"
    >
      <StepNav accountId={accountId} current={step.id} done={done} faulty={faulty} />
      <div ref={frame} className="space-y-4">
        <h2 tabIndex={-1} className="text-lg font-semibold outline-none">
          {step.heading}
        </h2>
        {isRefused && (
          <Callout tone="danger" isAlert title={labels.notCreatedYet}>
            {labels.theServerRejectedTheMarked}
          </Callout>
        )}
        <StepBody id={step.id} client={client} accountId={accountId} />
      </div>
      {step.id === 'review' && <SaveFailure error={client.api.failure} />}
      <Actions>
        {client.values.application !== '' && <StartOver onConfirm={onStartOver} />}
        {previous !== undefined && (
          <LinkButton to={NEW} params={{ accountId }} search={{ step: previous.id }}>
            {labels.back}
          </LinkButton>
        )}
        <Button type="submit" look="primary" isBusy={client.api.isSaving}>
          {step.id === 'review' ? labels.createClient : labels.continue}
        </Button>
      </Actions>
    </form>
  );
}

interface StepBodyProps {
  id: StepId;
  client: ClientForm;
  accountId: string;
}

function StepBody({ id, client, accountId }: StepBodyProps) {
  switch (id) {
    case 'application':
      return <ApplicationStep client={client} accountId={accountId} />;
    case 'addresses':
      return <AddressesStep client={client} />;
    case 'scopes':
      return (
        <Suspense fallback={<Loading />}>
          <ScopeFields client={client} />
        </Suspense>
      );
    case 'review':
      return <ReviewStep client={client} accountId={accountId} />;
  }
}
