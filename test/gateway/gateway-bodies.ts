/** A body that creates a gateway, with every field that the public clients send. */
export function gatewayBody(id: string, fields: object = {}): Record<string, unknown> {
  return { id, ...gatewayUpdate(fields) };
}

/** A body that replaces the settings of a gateway. */
export function gatewayUpdate(fields: object = {}): Record<string, unknown> {
  return {
    collect_logs: true,
    cache_invalidate_on_update: true,
    cache_ttl: null,
    rate_limiting_interval: null,
    rate_limiting_limit: null,
    ...fields,
  };
}
