import type { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../../http/metrics.ts';
import { NANO_USD_PER_USD } from '../../lib/money.ts';
import type { LogRow } from '../record.ts';
import { operationNameOf, providerNameOf } from './gen-ai-names.ts';

/** The version of the OpenTelemetry semantic conventions whose names the metrics have. */
export const SEMANTIC_CONVENTIONS_VERSION = '1.45.0';

// The bucket boundaries that the conventions recommend.
const TOKEN_BUCKETS = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
];
const SECONDS_BUCKETS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

// Clients choose the names of models, and each is a series of several metrics.
const MAX_MODELS = 300;
const OTHER_MODEL = 'other';

type CallLabel = 'gen_ai_operation_name' | 'gen_ai_provider_name' | 'gen_ai_request_model';
type Labels = Record<CallLabel, string>;
const CALL_LABELS: CallLabel[] = [
  'gen_ai_operation_name',
  'gen_ai_provider_name',
  'gen_ai_request_model',
];

/**
 * Metrics of model calls by the OpenTelemetry semantic conventions for generative AI, version
 * {@link SEMANTIC_CONVENTIONS_VERSION}, and of their cost, for which the conventions have no name.
 */
export class CallMetrics {
  readonly #tokens: Histogram<CallLabel | 'gen_ai_token_type'>;
  readonly #duration: Histogram<CallLabel | 'error_type'>;
  readonly #firstChunk: Histogram<CallLabel>;
  readonly #cost: Counter<CallLabel | 'usage_source'>;
  readonly #models = new Set<string>();

  constructor(metrics: Metrics) {
    this.#tokens = metrics.histogram(
      'gen_ai_client_token_usage',
      'Input and output tokens of a call: gen_ai.client.token.usage',
      [...CALL_LABELS, 'gen_ai_token_type'],
      TOKEN_BUCKETS,
    );
    this.#duration = metrics.histogram(
      'gen_ai_client_operation_duration_seconds',
      'Time from the request to the end of the response: gen_ai.client.operation.duration',
      [...CALL_LABELS, 'error_type'],
      SECONDS_BUCKETS,
    );
    this.#firstChunk = metrics.histogram(
      'gen_ai_client_operation_time_to_first_chunk_seconds',
      'Time to the first byte of the response: gen_ai.client.operation.time_to_first_chunk',
      CALL_LABELS,
      SECONDS_BUCKETS,
    );
    this.#cost = metrics.counter(
      'latchkey_gateway_cost_usd_total',
      'Known or estimated cost of calls in US dollars',
      [...CALL_LABELS, 'usage_source'],
    );
  }

  /** Counts a completed step. */
  record(row: LogRow): void {
    const labels: Labels = {
      gen_ai_operation_name: operationNameOf(row.path),
      gen_ai_provider_name: providerNameOf(row.provider),
      gen_ai_request_model: this.#modelOf(row),
    };
    const { tokens_in: tokensIn, tokens_out: tokensOut, cost_nano_usd: cost } = row;
    // The tokens of a cached response were counted with the original call.
    if (tokensIn !== null && row.cached === 0) {
      this.#tokens.observe({ ...labels, gen_ai_token_type: 'input' }, tokensIn);
    }
    if (tokensOut !== null && row.cached === 0) {
      this.#tokens.observe({ ...labels, gen_ai_token_type: 'output' }, tokensOut);
    }
    const errorType = row.success === 1 ? '' : String(row.status_code);
    this.#duration.observe({ ...labels, error_type: errorType }, row.duration_ms / 1_000);
    if (row.ttft_ms !== null) this.#firstChunk.observe(labels, row.ttft_ms / 1_000);
    if (cost !== null && cost > 0) {
      const source = row.usage_source ?? 'provider';
      this.#cost.inc({ ...labels, usage_source: source }, cost / NANO_USD_PER_USD);
    }
  }

  /** Only models of successful calls have a label, because any text can be the name of a model. */
  #modelOf({ provider, model, success }: LogRow): string {
    const name = `${provider}/${model}`;
    if (this.#models.has(name)) return model;
    if (success === 0 || this.#models.size >= MAX_MODELS) return OTHER_MODEL;
    this.#models.add(name);
    return model;
  }
}
