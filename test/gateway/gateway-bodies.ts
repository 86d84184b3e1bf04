/** A body that creates a gateway, with every field that the public clients send. */
export function gatewayBody(id: string): Record<string, unknown> {
  return {
    id,
    collect_logs: true,
    cache_invalidate_on_update: true,
    cache_ttl: null,
    rate_limiting_interval: null,
    rate_limiting_limit: null,
  };
}
