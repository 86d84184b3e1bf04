import type { GatewayRuntime } from '../execution/gateway-runtime.ts';
import type { ProviderModels } from '../routing/provider-models.ts';
import type { AdmissionServices } from './admit.ts';

/** The dependencies of the endpoints. */
export interface IngressServices {
  admission: AdmissionServices;
  models: ProviderModels;
  /** The dependencies of admitted requests. */
  runtime: GatewayRuntime;
}
