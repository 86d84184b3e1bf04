/** Where a span hangs in the trace of whoever called. */
export interface TraceContext {
  /** 32 lowercase hex digits, not all of them 0. */
  traceId: string;
  /** 16 lowercase hex digits, not all of them 0. */
  parentSpanId: string;
}

// W3C Trace Context section 3.2.2: a later version may add more behind another dash.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const ZEROS = /^0+$/;

/**
 * Reads a `traceparent` header (W3C Trace Context section 3.2). Whether the caller samples the trace is
 * not asked: what is exported is for the owner of the gateway to say.
 * @returns undefined when there is none, or none that may be used
 */
export function readTraceparent(header: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', parentSpanId = '', rest] = TRACEPARENT.exec(header ?? '') ?? [];
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined;
  if (ZEROS.test(traceId) || ZEROS.test(parentSpanId)) return undefined;
  return { traceId, parentSpanId };
}
