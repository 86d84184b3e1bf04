/** How a value is compared, as the API has it. */
export type Operator = 'eq' | 'neq' | 'contains' | 'lt' | 'gt';

/** What the values of a field are. */
export type FieldType =
  | 'text'
  | 'id'
  | 'boolean'
  | 'whole'
  | 'number'
  | 'milliseconds'
  | 'dollars'
  | 'time'
  | 'feedback';

/** Something of a log that it can be chosen by. */
export interface FilterField {
  /** As the address has it. */
  name: string;
  label: string;
  group: string;
  type: FieldType;
  /** Whether there are logs of which it is not known. */
  isNullable?: boolean;
  /** What analytics call it: its values are suggested. */
  facet?: string;
  hint?: string;
}

const EXCHANGE = 'Request and response';
const CLIENT = 'Client';
const FIGURES = 'Time, tokens and cost';
const METADATA = 'Metadata';

/** Which is offered first. */
export const FIRST_FIELD: FilterField = {
  name: 'model',
  label: 'Model',
  group: EXCHANGE,
  type: 'text',
  facet: 'model',
};

/**
 * Every key that the API filters by, in the order in which they are offered. `metadata` is two keys of the
 * API together: the value of one named entry.
 */
export const FILTER_FIELDS: readonly FilterField[] = [
  FIRST_FIELD,
  { name: 'provider', label: 'Provider', group: EXCHANGE, type: 'text', facet: 'provider' },
  { name: 'success', label: 'Success', group: EXCHANGE, type: 'boolean' },
  { name: 'status_code', label: 'Status', group: EXCHANGE, type: 'whole', facet: 'status' },
  {
    name: 'cached',
    label: 'Cache',
    group: EXCHANGE,
    type: 'boolean',
    hint: 'Requests that the cache of the gateway answered, without a provider call.',
  },
  {
    name: 'feedback',
    label: 'Feedback',
    group: EXCHANGE,
    type: 'feedback',
    isNullable: true,
    hint: 'User rating of the response.',
  },
  { name: 'score', label: 'Score', group: EXCHANGE, type: 'number', isNullable: true },
  { name: 'path', label: 'Path', group: EXCHANGE, type: 'text' },
  {
    name: 'model_type',
    label: 'Kind of model',
    group: EXCHANGE,
    type: 'text',
    isNullable: true,
    hint: 'text-generation or embeddings.',
  },
  {
    name: 'usage_source',
    label: 'Source of the tokens',
    group: EXCHANGE,
    type: 'text',
    isNullable: true,
    hint: 'provider, estimate or answer_model.',
  },
  { name: 'request_type', label: 'API', group: EXCHANGE, type: 'text' },
  {
    name: 'request_content_type',
    label: 'Content type of the request',
    group: EXCHANGE,
    type: 'text',
    isNullable: true,
  },
  {
    name: 'response_content_type',
    label: 'Content type of the response',
    group: EXCHANGE,
    type: 'text',
    isNullable: true,
  },
  {
    name: 'step',
    label: 'Step',
    group: EXCHANGE,
    type: 'whole',
    hint: 'Position of the provider in a request with fallbacks, from 0.',
  },
  {
    name: 'event_id',
    label: 'Event ID',
    group: EXCHANGE,
    type: 'text',
    isNullable: true,
    hint: 'Request name from the header cf-aig-event-id.',
  },
  { name: 'id', label: 'Log ID', group: EXCHANGE, type: 'id' },
  {
    name: 'token_id',
    label: 'Token',
    group: CLIENT,
    type: 'text',
    isNullable: true,
    facet: 'token',
  },
  {
    name: 'user_id',
    label: 'User',
    group: CLIENT,
    type: 'text',
    isNullable: true,
    facet: 'user',
    hint: 'User who authorized the request.',
  },
  {
    name: 'oauth_client_id',
    label: 'Application',
    group: CLIENT,
    type: 'text',
    isNullable: true,
    facet: 'oauth_client',
  },
  {
    name: 'duration',
    label: 'Duration',
    group: FIGURES,
    type: 'milliseconds',
    hint: 'Time from the request to the end of the response.',
  },
  {
    name: 'ttft',
    label: 'Time to first token',
    group: FIGURES,
    type: 'milliseconds',
    isNullable: true,
    hint: 'Time from the request to the first byte of the response.',
  },
  { name: 'cost', label: 'Cost', group: FIGURES, type: 'dollars', isNullable: true },
  { name: 'tokens', label: 'Tokens', group: FIGURES, type: 'whole', isNullable: true },
  { name: 'tokens_in', label: 'Tokens in', group: FIGURES, type: 'whole', isNullable: true },
  { name: 'tokens_out', label: 'Tokens out', group: FIGURES, type: 'whole', isNullable: true },
  {
    name: 'cache_tokens',
    label: 'Cached tokens',
    group: FIGURES,
    type: 'whole',
    isNullable: true,
    hint: 'Input tokens read from the cache of the provider.',
  },
  { name: 'created_at', label: 'Time', group: FIGURES, type: 'time' },
  {
    name: 'metadata',
    label: 'Value of a metadata key',
    group: METADATA,
    type: 'text',
    hint: 'Metadata from the header cf-aig-metadata.',
  },
  {
    name: 'metadata_key',
    label: 'Metadata key',
    group: METADATA,
    type: 'text',
    isNullable: true,
    hint: 'Metadata contains this key, with any value.',
  },
  {
    name: 'metadata_value',
    label: 'Any metadata value',
    group: METADATA,
    type: 'text',
    hint: 'Value of any metadata key.',
  },
];

const FIELDS = new Map(FILTER_FIELDS.map((field) => [field.name, field]));

/** The field of a name; undefined: there is none. */
export function fieldNamed(name: string): FilterField | undefined {
  return FIELDS.get(name);
}

const EVERY: readonly Operator[] = ['eq', 'neq', 'contains', 'gt', 'lt'];
const COMPARING: readonly Operator[] = ['gt', 'lt', 'eq', 'neq'];

const OPERATORS: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: EVERY,
  id: EVERY,
  boolean: ['eq', 'neq'],
  whole: COMPARING,
  number: COMPARING,
  milliseconds: COMPARING,
  dollars: COMPARING,
  time: COMPARING,
  feedback: COMPARING,
};

// What is greater among names, or not exactly some moment, is nothing that people ask.
const OFFERED: Readonly<Partial<Record<FieldType, readonly Operator[]>>> = {
  text: ['eq', 'neq', 'contains'],
  id: ['eq', 'neq', 'contains'],
  boolean: ['eq'],
  time: ['gt', 'lt'],
  feedback: ['eq', 'neq'],
};

/** The operators that the API takes with values of a type. */
export function operatorsOf(type: FieldType): readonly Operator[] {
  return OPERATORS[type];
}

/** Those of them that make sense to a person; the first is offered first. */
export function offeredOperators({ name, type }: FilterField): readonly Operator[] {
  if (name === 'status_code' || name === 'step') return ['eq', 'neq', 'gt', 'lt'];
  return OFFERED[type] ?? OPERATORS[type];
}
