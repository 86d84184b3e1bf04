import type { AuditRow } from '../../api/audit-log.ts';
import type { FilterField } from './audit-search.ts';
import { labels } from './labels.ts';

type Words = Readonly<Record<string, string>>;

/** Actions of the log, as a filter offers them. */
export const ACTION_WORDS: Words = {
  create: labels.created,
  update: labels.changed,
  delete: labels.deleted,
  view: labels.viewed,
  invite: labels.invitedAgain,
  accept: 'Accepted an invitation',
  reject: labels.rejectedAnInvitation,
  roll: labels.rolledAToken,
  authorize: labels.authorizedAnApplication,
  revoke: labels.revoked,
  promote: labels.madePublic,
  rotate_secret: labels.rotatedASecret,
  delete_old_secret: labels.deletedAnOldSecret,
  restart_verification: labels.restartedAVerification,
  verify: labels.verifiedAHost,
  recheck: labels.checkedAHostAgain,
  sign_in: labels.signedIn,
  first_factor: labels.passedTheFirstStep,
  sign_out: labels.signedOut,
  confirm: labels.confirmedTheirIdentity,
  change_password: labels.changedThePassword,
  request_password_reset: labels.requestedAPasswordLink,
  reset_password: labels.setAPassword,
  omit: labels.omittedFurtherDeniedRequests,
};

/** Which of them can stand in the log of an account, and which in that of a person. */
const PERSONAL: ReadonlySet<string> = new Set([
  'sign_in',
  'first_factor',
  'sign_out',
  'confirm',
  'change_password',
  'request_password_reset',
  'reset_password',
]);
const SHARED: ReadonlySet<string> = new Set([
  'create',
  'update',
  'delete',
  'view',
  'authorize',
  'revoke',
  'roll',
  'omit',
]);

/** The actions to choose from, in the order of the list above. */
export function actionsOf(isOwn: boolean): [type: string, words: string][] {
  return Object.entries(ACTION_WORDS).filter(
    ([type]) => SHARED.has(type) || PERSONAL.has(type) === isOwn,
  );
}

const RESOURCE_WORDS: Words = {
  account: 'account',
  member: 'member',
  membership: 'membership',
  role: 'role',
  user: 'person',
  session: 'session',
  api_token: labels.apiToken,
  oauth_client: labels.oauthClient,
  oauth_grant: 'authorization of an application',
  oauth_scope: 'scopes',
  passkey: 'passkey',
  totp_factor: 'authenticator app',
  recovery_codes: 'recovery codes',
  external_identity: 'identity at the OpenID provider',
  audit_log: 'audit log',
  ai_gateway: labels.aiGateway,
  ai_gateway_log: 'log of an AI gateway',
  ai_gateway_logs: 'logs of an AI gateway',
  ai_gateway_custom_provider: 'custom provider',
  ai_gateway_provider_config: 'stored key of a provider',
};

/** A kind of thing, in words. */
export function resourceWords(type: string): string {
  return RESOURCE_WORDS[type] ?? type.replaceAll('_', ' ');
}

const TRIED: Words = { create: 'create', update: 'change', delete: 'delete', view: 'see' };

/** What was done, or what somebody was not let do. */
export function describeAction({ action, actor, resource }: AuditRow): string {
  const verb = TRIED[action.type];
  // What the system tells is no refusal, but how something ended.
  if (action.result === 'success' || actor.type === 'system' || verb === undefined) {
    return action.description;
  }
  return labels.triedTo(verb, resourceWords(resource.type));
}

/** How it ended, in a word. */
export function resultWords({ action, actor }: AuditRow): string {
  if (action.result === 'success') return labels.succeeded;
  return actor.type === 'system' ? labels.failed : labels.denied;
}

const NAMING = ['client_name', 'name', 'email'];

/** What the thing is called that it was done to, when the entry tells. */
export function nameOf({ actor, resource }: AuditRow): string | undefined {
  for (const source of [resource.response, resource.request]) {
    if (typeof source !== 'object' || source === null) continue;
    const members = source as Record<string, unknown>;
    for (const name of NAMING) {
      // Who did it stands beside.
      if (name === 'email' && members[name] === actor.email) continue;
      const value = members[name];
      if (typeof value === 'string') return value;
    }
  }
  return undefined;
}

const ACTOR_TYPES: Words = {
  user: labels.person,
  account_token: labels.accountApiToken,
  user_token: labels.personalApiToken,
  oauth: labels.application,
  system: labels.thisServer,
};

/** The kind of an actor, in words. */
export function actorTypeWords(type: string): string {
  return ACTOR_TYPES[type] ?? type;
}

/** Who did it, as shortly as one can tell, and through what. */
export function describeActor({ actor }: AuditRow): { who: string; through: string | undefined } {
  const kind = actorTypeWords(actor.type);
  const who = actor.email ?? actor.token_name ?? actor.id ?? kind;
  const isDirect = actor.type === 'user' || actor.type === 'system';
  if (isDirect) return { who, through: undefined };
  const tool = who === actor.token_name ? undefined : actor.token_name;
  return { who, through: tool === undefined ? kind : `${kind}: ${tool}` };
}

const FIELD_WORDS: Words = {
  actor_email: labels.actorEmail,
  actor_type: labels.actorType,
  actor_id: labels.actorId,
  actor_ip_address: labels.ipAddress,
  actor_context: labels.interface,
  actor_token_id: labels.tokenOrApplicationId,
  actor_token_name: labels.tokenOrApplicationName,
  resource_type: labels.resourceType,
  resource_id: labels.resourceId,
  resource_product: labels.product,
  action_type: labels.action,
  action_result: labels.result,
  raw_method: labels.httpMethod,
  raw_uri: labels.requestPath,
  raw_status_code: labels.responseStatus,
  raw_cf_ray_id: labels.requestId,
  product_category: labels.area,
} satisfies Record<FilterField | 'product_category', string>;

/** A filter's field, in words. */
export function fieldWords(field: string): string {
  return FIELD_WORDS[field] ?? field;
}

/** A filter as a sentence: "Action is Created". */
export function describeFilter(name: string, value: string): string {
  const field = name.replace(/\.not$/, '');
  return `${fieldWords(field)} ${name === field ? 'is' : 'is not'} ${valueWords(field, value)}`;
}

function valueWords(field: string, value: string): string {
  switch (field) {
    case 'action_type':
      return ACTION_WORDS[value] ?? value;
    case 'action_result':
      return value === 'failure' ? labels.deniedOrFailed : labels.succeeded;
    case 'actor_type':
      return actorTypeWords(value);
    case 'resource_type':
      return resourceWords(value);
    default:
      return value;
  }
}
