import type { ReactNode } from 'react';
import type { Gateway } from '../../../api/gateways.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';

interface Step {
  name: string;
  text: ReactNode;
}

const header = (text: string) => <code className="font-mono text-sm wrap-anywhere">{text}</code>;

const STEPS: readonly Step[] = [
  {
    name: 'The stored key that the request names',
    text: (
      <>
        by its alias, in the header {header('cf-aig-byok-alias')}. If there is none of that name,
        the request is refused with error 2040.
      </>
    ),
  },
  {
    name: 'The caller’s own',
    text: (
      <>
        where the provider expects it, such as {header('Authorization')} or {header('x-api-key')}.
        Only on the gateway host: on the REST API these headers carry the credential for this
        server.
      </>
    ),
  },
  { name: 'The default key', text: 'that this gateway keeps for the provider.' },
  {
    name: 'The operator’s',
    text: 'which the settings of this server hold for the provider. Only for callers with a valid token.',
  },
  { name: 'None', text: 'the provider decides. Most of them refuse the request with 401.' },
];

/** Which of all keys a provider is called with, in the order in which they are looked for. */
export function KeyChoiceCard({ gateway, alias }: { gateway: Gateway; alias: string | undefined }) {
  return (
    <Card
      title="Which key a request is sent with"
      lead="The first of these that exists. The others are not tried, whatever the provider answers."
    >
      <ol className="space-y-2.5">
        {STEPS.map(({ name, text }, index) => (
          <li key={name} className="flex gap-3 text-[0.9375rem]">
            <span
              aria-hidden
              className="mt-px grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-muted"
            >
              {index + 1}
            </span>
            <span className="min-w-0">
              <strong className="font-medium">{name}</strong>
              {index === STEPS.length - 1 ? ': ' : ', '}
              <span className="text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      {alias !== undefined && (
        <p className="mt-4 text-[0.9375rem]">
          To choose a key:{' '}
          <CopyText
            text={`cf-aig-byok-alias: ${alias}`}
            label="Copy the header that chooses a key"
          />
        </p>
      )}
      <p className="mt-4 border-t border-line pt-3 text-sm text-muted">{lendingWords(gateway)}</p>
    </Card>
  );
}

/** Whether callers who have shown no token get what the gateway keeps. */
export function isLendingToAll(gateway: Gateway): boolean {
  return !gateway.authentication && gateway.allow_stored_keys_unauthenticated;
}

/** To whom the gateway lends what it keeps. */
function lendingWords(gateway: Gateway): string {
  if (gateway.authentication) {
    return 'This gateway is authenticated: whoever uses its keys has shown a valid token with AI Gateway Run.';
  }
  return isLendingToAll(gateway)
    ? 'This gateway is open to anybody, and lends its keys to callers without a valid token, too.'
    : 'This gateway is open to anybody, and lends its keys only to callers who show a valid token with AI Gateway Run all the same. Others need a key of their own.';
}
