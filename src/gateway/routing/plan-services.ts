import type { ProviderRegistry } from './provider-registry.ts';

/** The dependencies of planning. */
export interface PlanServices {
  providers: ProviderRegistry;
  /** Deepest nesting of a JSON body. */
  jsonMaxDepth: number;
}
