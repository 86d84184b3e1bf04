import { Type } from 'typebox';
import { AccountParams } from '../../iam/route.ts';

/** A gateway is named by its user. */
export const GATEWAY_ID_PATTERN = '^[a-z0-9_-]{1,64}$';

const Off = (what: string) =>
  Type.Unsafe<0 | null>({
    enum: [0, null],
    description: `${what}: must be off (0 or null), this version does not have it`,
  });

/**
 * The fields that the public clients require are all there. A feature that this version lacks is
 * accepted switched off and refused switched on: nobody should believe in a limit that is not kept.
 */
export const CreateGatewaySchema = Type.Object(
  {
    id: Type.String({ pattern: GATEWAY_ID_PATTERN }),
    cache_invalidate_on_update: Type.Boolean(),
    cache_ttl: Off('Cache time to live, seconds'),
    collect_logs: Type.Boolean({ description: 'Keep a log row of every exchange' }),
    rate_limiting_interval: Off('Rate limit window, seconds'),
    rate_limiting_limit: Off('Requests per window'),
    authentication: Type.Optional(
      Type.Boolean({ default: true, description: 'Only callers with AI Gateway Run get through' }),
    ),
    allow_stored_keys_unauthenticated: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Lend provider keys kept on this server to callers without a valid token',
      }),
    ),
  },
  { additionalProperties: false },
);

export const GatewaySchema = Type.Object({
  id: Type.String(),
  authentication: Type.Boolean(),
  allow_stored_keys_unauthenticated: Type.Boolean(),
  collect_logs: Type.Boolean(),
  cache_invalidate_on_update: Type.Boolean(),
  cache_ttl: Type.Unsafe<0 | null>({ type: ['integer', 'null'] }),
  rate_limiting_interval: Type.Unsafe<0 | null>({ type: ['integer', 'null'] }),
  rate_limiting_limit: Type.Unsafe<0 | null>({ type: ['integer', 'null'] }),
  is_default: Type.Boolean(),
  created_at: Type.String(),
  modified_at: Type.String(),
});

export const GatewayParams = Type.Object({
  ...AccountParams.properties,
  gateway_id: Type.String(),
});
