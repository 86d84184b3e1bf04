import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { type CreatedClient, createClient } from '../../../api/oauth-client-changes.ts';
import { faultOf } from '../../../lib/web-uri.ts';
import type { ClientFaults } from '../form/client-faults.ts';
import { type ClientValues, createBodyOf, emptyValues } from '../form/client-values.ts';
import { type ClientForm, useClientForm } from '../form/use-client-form.ts';
import { keepDraft, readDraft } from './draft.ts';
import { labels } from './labels.ts';
import { type Step, type StepId, faultyPaths, stepOf, steps } from './steps.ts';

/** Where the steps are. */
export const NEW = '/accounts/$accountId/oauth-clients/new';

interface WizardState {
  client: ClientForm;
  step: Step;
  /** Steps that one has gone on from. */
  done: ReadonlySet<StepId>;
  /** Steps in which something is wrong, and is shown. */
  faulty: ReadonlySet<StepId>;
  /** Goes to the next step, creates the client at the end, or shows what stands in the way. */
  goOn: (event: FormEvent, onFault: () => void) => void;
}

function findMore({ application }: ClientValues): ClientFaults {
  if (application !== '') return new Map();
  return new Map([['application', faultOf(labels.chooseTheClosestType)]]);
}

/** The way through the steps: where one is, what is filled in, and where it goes on. */
export function useWizard(
  accountId: string,
  wanted: string | undefined,
  onCreated: (created: CreatedClient) => void,
): WizardState {
  const navigate = useNavigate();
  const step = steps.find(({ id }) => id === wanted) ?? steps[0];
  const index = steps.indexOf(step);
  const furthest = useFurthest(index);
  const go = (id: StepId | 'done', replace = false): Promise<void> =>
    navigate({ to: NEW, params: { accountId }, search: { step: id }, replace });
  const [draft] = useState(() => readDraft(accountId) ?? emptyValues);
  const client = useClientForm({
    values: draft,
    findMore,
    isGuarded: false,
    save: async (values, key) => {
      try {
        onCreated(await createClient(accountId, createBodyOf(values), key));
      } catch (error) {
        const refused = refusedStep(error);
        if (refused !== undefined) await go(refused);
        throw error;
      }
      await go('done', true);
    },
  });
  useEffect(() => keepDraft(accountId, client.values));

  const goOn = (event: FormEvent, onFault: () => void): void => {
    event.preventDefault();
    const asked = step.id === 'review' ? steps : [step];
    // What the server has refused it may take the next time; only it can tell.
    const wrong = [...client.faults.keys()];
    const obstacle = asked.find(({ id }) => wrong.some((path) => stepOf(path) === id));
    const next = steps[index + 1];
    if (obstacle !== undefined) {
      client.touch(...faultyPaths(client, obstacle.id));
      if (obstacle === step) onFault();
      else void go(obstacle.id);
    } else if (next === undefined) {
      client.api.submit(event);
    } else {
      void go(next.id);
    }
  };
  return { client, step, ...marksOf(client, furthest), goOn };
}

/** The first step with a field that the API has refused. */
function refusedStep(error: unknown): StepId | undefined {
  if (!(error instanceof ApiFailure)) return undefined;
  const refused = error.fieldFaults.map(({ path }) => stepOf(path));
  return steps.find(({ id }) => refused.includes(id))?.id;
}

/** The last step that somebody has come to. */
function useFurthest(index: number): number {
  const [furthest, setFurthest] = useState(index);
  if (index > furthest) setFurthest(index);
  return Math.max(index, furthest);
}

function marksOf(client: ClientForm, furthest: number): Pick<WizardState, 'done' | 'faulty'> {
  const done = steps.filter(
    ({ id }, index) => index < furthest && faultyPaths(client, id).length === 0,
  );
  const faulty = steps.filter(({ id }) =>
    faultyPaths(client, id).some((path) => client.faultAt(path) !== undefined),
  );
  return {
    done: new Set(done.map(({ id }) => id)),
    faulty: new Set(faulty.map(({ id }) => id)),
  };
}
