import type { Histogram, HistogramSeries } from '../../http/histogram.ts';
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

/** The series of the calls with one combination of call labels. A series begins with its first value. */
interface CallSeries {
  labels: Labels;
  input?: HistogramSeries;
  output?: HistogramSeries;
  firstChunk?: HistogramSeries;
  /** Durations by error type. */
  durations: Map<string, HistogramSeries>;
  /** Billionths of a US dollar, by usage source. */
  costs: Map<string, number>;
}

/**
 * Metrics of model calls by the OpenTelemetry semantic conventions for generative AI, version
 * {@link SEMANTIC_CONVENTIONS_VERSION}, and of their cost, for which the conventions have no name.
 */
export class CallMetrics {
  readonly #tokens: Histogram<CallLabel | 'gen_ai_token_type'>;
  readonly #duration: Histogram<CallLabel | 'error_type'>;
  readonly #firstChunk: Histogram<CallLabel>;
  readonly #models = new Set<string>();
  readonly #calls = new Map<string, CallSeries>();

  constructor(metrics: Metrics) {
    this.#tokens = metrics.histogram(
      'gen_ai_client_token_usage',
      'Input and output tokens of a call: gen_ai.client.token.usage',
      TOKEN_BUCKETS,
    );
    this.#duration = metrics.histogram(
      'gen_ai_client_operation_duration_seconds',
      'Time from the request to the end of the response: gen_ai.client.operation.duration',
      SECONDS_BUCKETS,
    );
    this.#firstChunk = metrics.histogram(
      'gen_ai_client_operation_time_to_first_chunk_seconds',
      'Time to the first byte of the response: gen_ai.client.operation.time_to_first_chunk',
      SECONDS_BUCKETS,
    );
    metrics.counters(
      'latchkey_gateway_cost_usd_total',
      'Known or estimated cost of calls in US dollars',
      [...CALL_LABELS, 'usage_source'],
      () => this.#readCosts(),
    );
  }

  /** Counts a completed step. */
  record(row: LogRow): void {
    const call = this.#seriesOf(row);
    const { labels, durations, costs } = call;
    const { tokens_in: tokensIn, tokens_out: tokensOut, cost_nano_usd: cost } = row;
    // The tokens of a cached response were counted with the original call.
    if (tokensIn !== null && row.cached === 0) {
      call.input ??= this.#tokens.series({ ...labels, gen_ai_token_type: 'input' });
      call.input.observe(tokensIn);
    }
    if (tokensOut !== null && row.cached === 0) {
      call.output ??= this.#tokens.series({ ...labels, gen_ai_token_type: 'output' });
      call.output.observe(tokensOut);
    }
    const errorType = row.success === 1 ? '' : String(row.status_code);
    let duration = durations.get(errorType);
    if (duration === undefined) {
      duration = this.#duration.series({ ...labels, error_type: errorType });
      durations.set(errorType, duration);
    }
    duration.observe(row.duration_ms / 1_000);
    if (row.ttft_ms !== null) {
      call.firstChunk ??= this.#firstChunk.series(labels);
      call.firstChunk.observe(row.ttft_ms / 1_000);
    }
    if (cost !== null && cost > 0) {
      const source = row.usage_source ?? 'provider';
      costs.set(source, (costs.get(source) ?? 0) + cost);
    }
  }

  #seriesOf(row: LogRow): CallSeries {
    const operation = operationNameOf(row.path);
    const model = this.#modelOf(row);
    const key = `${operation} ${row.provider} ${model}`;
    const existing = this.#calls.get(key);
    if (existing !== undefined) return existing;
    const labels = {
      gen_ai_operation_name: operation,
      gen_ai_provider_name: providerNameOf(row.provider),
      gen_ai_request_model: model,
    };
    const series = { labels, durations: new Map(), costs: new Map() };
    this.#calls.set(key, series);
    return series;
  }

  #readCosts(): [Record<CallLabel | 'usage_source', string>, number][] {
    return [...this.#calls.values()].flatMap(({ labels, costs }) =>
      [...costs].map(([source, cost]): [typeof labels & { usage_source: string }, number] => [
        { ...labels, usage_source: source },
        cost / NANO_USD_PER_USD,
      ]),
    );
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
