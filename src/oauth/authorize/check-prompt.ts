import { type Parameters, readList } from '../parameters.ts';
import { ProtocolError } from '../protocol-error.ts';

const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

/** What the person is to be asked, or not to be asked (OpenID Connect Core section 3.1.2.1). */
export type Prompt = (typeof PROMPTS)[number];

/**
 * Values that are not known are ignored, so that clients may use those of later extensions.
 * @throws ProtocolError invalid_request for `none` together with anything else
 */
export function checkPrompt(parameters: Parameters): Prompt[] {
  const values = readList(parameters.get('prompt'));
  if (values.includes('none') && values.length > 1) {
    throw new ProtocolError('invalid_request', 'prompt=none cannot be combined with other values');
  }
  return PROMPTS.filter((prompt) => values.includes(prompt));
}
