/** Names a gateway to the REST API. */
export const GATEWAY_HEADER = 'cf-aig-gateway-id';

/** Who answered; without it, an answer is this server's own. */
export const PROVIDER_HEADER = 'cf-aig-provider';
