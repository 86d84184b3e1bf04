import { type Parameters, readList } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

/** What the person is to be asked, or not to be asked (OpenID Connect Core section 3.1.2.1). */
export type Prompt = (typeof PROMPTS)[number];

/**
 * Reads the prompts of an authorization request.
 * @throws ProtocolError invalid_request for a value that the metadata does not list (Initiating User Registration via
 *   OpenID Connect section 4), and for `none` together with another value
 */
export function checkPrompt(parameters: Parameters): Prompt[] {
  const values = readList(parameters.get('prompt'));
  if (!values.every((value) => PROMPTS.some((prompt) => prompt === value))) {
    const supported = `${PROMPTS.slice(0, -1).join(', ')} or ${PROMPTS.at(-1)}`;
    throw new ProtocolError('invalid_request', `prompt must be ${supported}`);
  }
  if (values.includes('none') && values.length > 1) {
    throw new ProtocolError('invalid_request', 'prompt=none cannot be combined with other values');
  }
  return PROMPTS.filter((prompt) => values.includes(prompt));
}
