import { apiError } from '../../http/errors.ts';
import type { AuditedChange } from '../../iam/changes.ts';
import { gatewayManagementErrors } from '../gateway-errors.ts';
import type { CustomProvider } from './custom-provider-store.ts';

/** A change of a custom provider, for the audit log of its account. */
export function customProviderChange(
  { accountId, id }: Pick<CustomProvider, 'accountId' | 'id'>,
  type: string,
  description: string,
): AuditedChange {
  return {
    chain: { accountId },
    type,
    description,
    resource: { type: 'ai_gateway_custom_provider', id, product: 'ai_gateway' },
  };
}

/**
 * Where people read about a provider; an empty text is none.
 * @throws ApiError 5001 for what is no http(s) address: pages show it as a link
 */
export function parseLink(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  const isWeb = url !== null && ['http:', 'https:'].includes(url.protocol);
  if (isWeb && url.username === '' && url.password === '') return url.href;
  const { invalidField } = gatewayManagementErrors;
  throw apiError(invalidField, {
    message: `${invalidField.message}: link must be an http or https address without user name and password`,
    pointer: '/link',
  });
}
