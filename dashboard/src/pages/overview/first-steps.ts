import type { Permission } from '../../api/accounts.ts';
import { apiCommand } from '../../lib/shell-command.ts';
import { baseUrl } from '../../lib/site.ts';
import type { AccountPath, ProfilePath } from '../../shell/navigation.ts';
import type { Glance } from './glance.ts';

/** One thing that a new account needs. */
export interface FirstStep {
  title: string;
  text: string;
  /** Where it is done. */
  to: AccountPath | ProfilePath;
  search?: Record<string, string>;
  /** What the button says. */
  label: string;
  /** What it takes; who lacks it is not shown the step. */
  needs?: Permission;
  /** Undefined when that could not be read. */
  isDone: (glance: Glance) => boolean | undefined;
  /** Something to try in a terminal. */
  command?: (accountId: string) => string;
}

/** What to do first, in this order. A part of the product with a beginning of its own adds a step. */
export const firstSteps: readonly FirstStep[] = [
  {
    title: 'Secure your sign-in',
    text: 'Add an authenticator app or a passkey, so that a stolen password alone opens nothing.',
    to: '/profile/security',
    label: 'Set up a second factor',
    isDone: ({ hasSecondFactor }) => hasSecondFactor,
  },
  {
    title: 'Invite a colleague',
    text: 'With a second person who can decide, nobody is locked out when you are away.',
    to: '/accounts/$accountId/members',
    search: { invite: 'yes' },
    label: 'Invite member',
    needs: 'members.write',
    isDone: ({ memberCount }) => (memberCount === undefined ? undefined : memberCount > 1),
  },
  {
    title: 'Call the API',
    text: 'Create an API token for a program, put its value into TOKEN, and try it in a terminal. This is done once a token has been used, which can take a minute to show.',
    to: '/accounts/$accountId/tokens/new',
    label: 'Create token',
    needs: 'api-tokens.write',
    isDone: ({ tokens }) => tokens?.some(({ last_used_on: lastUse }) => lastUse !== undefined),
    command: (accountId) => apiCommand({ url: `${baseUrl}/accounts/${accountId}/tokens/verify` }),
  },
  {
    title: 'Call a model',
    text: 'An AI gateway gives programs one address and one token for the models of every provider, and keeps account of what they cost.',
    to: '/accounts/$accountId/ai-gateway/gateways',
    label: 'Look at the gateways',
    needs: 'ai-gateway.write',
    isDone: ({ gateways }) => gateways && gateways.length > 0,
  },
  {
    title: 'Create an OAuth client',
    text: 'Let people sign in to your application, and let it act for them with the scopes that they allow.',
    to: '/accounts/$accountId/oauth-clients/new',
    label: 'Create client',
    needs: 'oauth-clients.write',
    isDone: ({ clients }) => clients && clients.length > 0,
  },
];

/** A step, and whether it is done. */
export interface StepState {
  step: FirstStep;
  isDone: boolean;
}

/**
 * The steps of a person in an account. Nothing for who has nothing to set up there, for an account that is
 * set up, and while it is not known what is done.
 */
export function openSteps(glance: Glance): StepState[] {
  const steps = firstSteps.filter(({ needs }) => needs === undefined || glance.access.can(needs));
  const states = steps.map((step) => ({ step, isDone: step.isDone(glance) }));
  if (!states.every((state): state is StepState => state.isDone !== undefined)) return [];
  // What concerns the person alone does not make an account a new one.
  const isNew = states.some(({ step, isDone }) => step.needs !== undefined && !isDone);
  return isNew ? states : [];
}
