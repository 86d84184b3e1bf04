import type { ReactNode } from 'react';
import type { Gateway } from '../../../api/gateways.ts';
import { CopyText } from '../../../ui/copy.tsx';
import { Card } from '../../../ui/page.tsx';
import { labels } from './labels.ts';

interface Step {
  name: string;
  text: ReactNode;
}

const header = (text: string) => <code className="font-mono text-sm wrap-anywhere">{text}</code>;

const STEPS: readonly Step[] = [
  {
    name: labels.theStoredKey,
    text: (
      <>
        by its alias, in the header {header('cf-aig-byok-alias')}. If the alias doesn't exist, the
        gateway rejects the request with error 2040.
      </>
    ),
  },
  {
    name: labels.theClientsOwnKey,
    text: (
      <>
        in the provider's header, such as {header(labels.authorization)} or {header('x-api-key')}.
        Applies only to the gateway host, because these headers carry the server credential on the
        REST API.
      </>
    ),
  },
  { name: labels.theDefaultKey, text: 'that this gateway stores for the provider.' },
];

const OPERATORS_KEY: Step = {
  name: labels.theOperatorsKey,
  text: 'from the settings of this server. Only for clients with a valid token.',
};

function stepsOf({ byok_only: isByokOnly }: Gateway): Step[] {
  const last = isByokOnly
    ? 'the gateway rejects the request with error 2042, unless the provider needs no key.'
    : 'the provider decides. Most providers reject the request with 401.';
  return [...STEPS, ...(isByokOnly ? [] : [OPERATORS_KEY]), { name: labels.noKey, text: last }];
}

/** Explains the key selection: the keys of a call in their order of precedence. */
export function KeyChoiceCard({ gateway, alias }: { gateway: Gateway; alias: string | undefined }) {
  const steps = stepsOf(gateway);
  return (
    <Card title={labels.keySelection} lead={labels.theGatewayUsesTheFirst}>
      <ol className="space-y-2.5">
        {steps.map(({ name, text }, index) => (
          <li key={name} className="flex gap-3 text-[0.9375rem]">
            <span
              aria-hidden
              className="mt-px grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-xs font-semibold text-muted"
            >
              {index + 1}
            </span>
            <span className="min-w-0">
              <strong className="font-medium">{name}</strong>
              {index === steps.length - 1 ? ': ' : ', '}
              <span className="text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
      {alias !== undefined && (
        <p className="mt-4 text-[0.9375rem]">
          To choose a key:{' '}
          <CopyText text={`cf-aig-byok-alias: ${alias}`} label={labels.copyTheHeaderThatSelects} />
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
    return labels.thisGatewayIsAuthenticatedEvery;
  }
  return isLendingToAll(gateway) ? labels.thisGatewayIsOpen : labels.thisGatewayIsOpenBut;
}
