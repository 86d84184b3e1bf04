import type { OwnResourceType } from '../iam/own-resources.ts';

const ownTypes: readonly OwnResourceType[] = ['account', 'ai_gateway', 'api_token', 'oauth_client'];

/** Types that live outside of this server: the ones the public clients know. */
const outsideTypes: readonly string[] = [
  'access_application',
  'access_application_policy',
  'access_group',
  'account_ruleset',
  'alerting_policy',
  'alerting_webhook',
  'api_gateway_operation',
  'cloudflared_tunnel',
  'custom_certificate',
  'custom_hostname',
  'cws_deployment',
  'cws_policy',
  'cws_policy_set',
  'cws_workload',
  'd1_database',
  'dns_record',
  'durable_object_namespace',
  'gateway_list',
  'gateway_rule',
  'healthcheck',
  'image',
  'infrastructure_target',
  'kv_namespace',
  'load_balancer',
  'load_balancer_monitor',
  'load_balancer_pool',
  'managed_client_certificate',
  'pages_project',
  'queue',
  'r2_bucket',
  'resource_share',
  'stream_live_input',
  'stream_video',
  'vectorize_index',
  'worker',
  'worker_route',
  'worker_version',
  'zone',
  'zone_ruleset',
];

/** A version of a worker is known only together with its worker, as the public clients send it. */
export const WORKER_VERSION = 'worker_version';

/**
 * Every type that resources of this installation may have.
 * @param extraTypes the ones that the operator added
 */
export function allResourceTypes(extraTypes: readonly string[]): ReadonlySet<string> {
  return new Set([...ownTypes, ...outsideTypes, ...extraTypes]);
}

/** Whether resources of that type live in this server, so that they must exist to be tagged. */
export function isOwnResourceType(type: string): type is OwnResourceType {
  return (ownTypes as readonly string[]).includes(type);
}

/** Whether a caller names, by its worker, another version than the one that has the tags. */
export function isOtherWorker(
  resource: { type: string; workerId: string | undefined },
  workerId: string | undefined,
): boolean {
  return (
    resource.type === WORKER_VERSION && workerId !== undefined && workerId !== resource.workerId
  );
}
