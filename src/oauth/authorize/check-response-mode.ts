import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/**
 * The answer is in the query, which is what goes with `code`.
 * @throws ProtocolError invalid_request for another mode
 */
export function checkResponseMode(parameters: Parameters): void {
  if ((parameters.get('response_mode') ?? 'query') === 'query') return;
  throw new ProtocolError('invalid_request', 'response_mode must be query');
}
