import { GatewayParams } from '../../iam/gateway-operations.ts';
import { Type } from 'typebox';

/** Path parameters of an operation on a log. */
export const LogParams = Type.Object({
  ...GatewayParams.properties,
  log_id: Type.String({ description: 'Log id: a UUIDv7, as in the header `cf-aig-log-id`' }),
});
