import type { Parameters } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

/** How the response reaches the client: in the query, or in a form (OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ['query', 'form_post'] as const;
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** @throws ProtocolError invalid_request for another mode, and for a form that no server could receive */
export function checkResponseMode(parameters: Parameters, redirectUri: string): ResponseMode {
  const asked = parameters.get('response_mode') ?? 'query';
  const mode = RESPONSE_MODES.find((known) => known === asked);
  if (mode === undefined) {
    const modes = RESPONSE_MODES.join(' or ');
    throw new ProtocolError('invalid_request', `response_mode must be ${modes}`);
  }
  if (mode === 'form_post' && !/^https?:/i.test(redirectUri)) {
    const message = 'response_mode=form_post requires an http or https redirect URI';
    throw new ProtocolError('invalid_request', message);
  }
  return mode;
}

/** Returns the mode in which an error is reported before the request was checked. */
export function modeForErrors(parameters: Parameters, redirectUri: string): ResponseMode {
  if (parameters.repeated.includes('response_mode')) return 'query';
  try {
    return checkResponseMode(parameters, redirectUri);
  } catch (error) {
    if (error instanceof ProtocolError) return 'query';
    throw error;
  }
}
