import type { GatewayRequest, ProviderStep } from '../gateway-request.ts';
import { LogEntry, type LogEntryParts } from './log-entry.ts';

/** Opens the log rows of steps. */
export class RequestLog {
  readonly #parts: LogEntryParts;

  constructor(parts: LogEntryParts) {
    this.#parts = parts;
  }

  /**
   * Opens the row of a step. It is written when the entry ends.
   * @param index of the step in its request
   */
  open(request: GatewayRequest, step: ProviderStep, index: number): LogEntry {
    return new LogEntry(this.#parts, request, step, index);
  }
}
