import type { Permission } from '../../api/accounts.ts';
import { apiCommand } from '../../lib/shell-command.ts';
import { baseUrl } from '../../lib/site.ts';
import type { AccountPath, ProfilePath } from '../../shell/navigation.ts';
import type { Glance } from './glance.ts';
import { labels } from './labels.ts';

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
    title: labels.secureYourSignIn,
    text: labels.addAnAuthenticatorApp,
    to: '/profile/security',
    label: labels.setUpASecondFactor,
    isDone: ({ hasSecondFactor }) => hasSecondFactor,
  },
  {
    title: labels.inviteAColleague,
    text: labels.aSecondAdministratorKeeps,
    to: '/accounts/$accountId/members',
    search: { invite: 'yes' },
    label: labels.inviteMember,
    needs: 'members.write',
    isDone: ({ memberCount }) => (memberCount === undefined ? undefined : memberCount > 1),
  },
  {
    title: labels.callTheApi,
    text: labels.createAnApiTokenStore,
    to: '/accounts/$accountId/tokens/new',
    label: labels.createToken,
    needs: 'api-tokens.write',
    isDone: ({ tokens }) => tokens?.some(({ last_used_on: lastUse }) => lastUse !== undefined),
    command: (accountId) => apiCommand({ url: `${baseUrl}/accounts/${accountId}/tokens/verify` }),
  },
  {
    title: labels.callAModel,
    text: labels.anAiGatewayGivesPrograms,
    to: '/accounts/$accountId/ai-gateway/gateways',
    label: labels.viewGateways,
    needs: 'ai-gateway.write',
    isDone: ({ gateways }) => gateways && gateways.length > 0,
  },
  {
    title: labels.createAnOauthClient,
    text: labels.letUsersSign,
    to: '/accounts/$accountId/oauth-clients/new',
    label: labels.createClient,
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
