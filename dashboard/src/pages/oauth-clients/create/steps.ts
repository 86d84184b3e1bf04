import type { ClientForm } from '../form/use-client-form.ts';
import { labels } from './labels.ts';

export type StepId = 'application' | 'addresses' | 'scopes' | 'review';

/** One page of the way to a new client. */
export interface Step {
  id: StepId;
  title: string;
  /** Above the step itself. */
  heading: string;
  /** Of the ways through the form that begin with one of these, it shows the faults. */
  fields: readonly string[];
}

/** The order in which they come. */
export const steps: readonly [Step, ...Step[]] = [
  {
    id: 'application',
    title: labels.application,
    heading: labels.whatAreYouBuilding,
    fields: [
      'application',
      'token_endpoint_auth_method',
      'grant_types',
      'response_types',
      'id_token_signed_response_alg',
      'id_token_claims',
    ],
  },
  {
    id: 'addresses',
    title: labels.nameAndUrls,
    heading: labels.nameAndUrls,
    fields: [
      'client_name',
      'redirect_uris',
      'post_logout_redirect_uris',
      'backchannel_logout_uri',
      'allowed_cors_origins',
      'logo_uri',
      'client_uri',
      'policy_uri',
      'tos_uri',
    ],
  },
  {
    id: 'scopes',
    title: labels.scopes,
    heading: labels.chooseScopes,
    fields: ['scopes', 'optional_scopes'],
  },
  { id: 'review', title: labels.review, heading: labels.reviewAndCreate, fields: [] },
];

/** The step that shows a field. */
export function stepOf(path: string): StepId | undefined {
  const [name = ''] = path.split('.');
  return steps.find(({ fields }) => fields.includes(name))?.id;
}

/** What is wrong in a step, as ways through the form. */
export function faultyPaths(client: ClientForm, id: StepId): string[] {
  const paths = new Set([...client.faults.keys(), ...client.refusedPaths]);
  return [...paths].filter((path) => stepOf(path) === id);
}
