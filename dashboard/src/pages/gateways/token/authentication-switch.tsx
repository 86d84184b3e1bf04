import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Callers, callersQuery } from '../../../api/gateway-activity.ts';
import { changeGateway } from '../../../api/gateway-changes.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button, type ButtonLook } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useGatewayOfPage } from '../gateway-page.tsx';
import { partOfRequests } from './caller-words.ts';

/** Switches authentication of the gateway of the page on or off, after a word on what that stops. */
export function AuthenticationSwitch({ look = 'plain' }: { look?: ButtonLook }) {
  const { access, gateway } = useGatewayOfPage();
  const [isAsked, setIsAsked] = useState(false);
  // What is asked stays while the dialog closes behind the change.
  const [isTurningOn, setIsTurningOn] = useState(false);
  const place = { accountId: access.accountId, gatewayId: gateway.id };
  const mayChange = access.can('ai-gateway.write');
  const { data: callers, isError } = useQuery({
    ...callersQuery(place),
    // By now they may all carry a token.
    staleTime: 0,
    enabled: isAsked && isTurningOn,
  });
  const ask = (): void => {
    setIsTurningOn(!gateway.authentication);
    setIsAsked(true);
  };
  const change = async (): Promise<void> => {
    await changeGateway(place, { authentication: isTurningOn });
    toast(`Authenticated Gateway is ${isTurningOn ? 'on' : 'off'}`);
  };
  return (
    <>
      <Button look={look} disabled={!mayChange} onClick={ask}>
        {gateway.authentication ? 'Switch off' : 'Switch on'}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={`Switch Authenticated Gateway ${isTurningOn ? 'on' : 'off'} for ${gateway.id}?`}
        label={isTurningOn ? 'Switch on' : 'Switch off'}
        isDangerous={!isTurningOn || callers === undefined || callers.unknown > 0}
        onConfirm={change}
      >
        {isTurningOn ? <WhatStops callers={callers} isUnknown={isError} /> : <WhatOpens />}
      </Confirm>
    </>
  );
}

interface WhatStopsProps {
  callers: Callers | undefined;
  /** They could not be counted. */
  isUnknown: boolean;
}

/** What switching on means for those who send requests now. */
function WhatStops({ callers, isUnknown }: WhatStopsProps) {
  return (
    <>
      <p>
        From now on each request needs a valid API token that may run requests through this gateway.
        All others are refused with status 401, at once: no provider is called, and nothing is
        logged.
      </p>
      <div role="status">
        {isUnknown ? (
          <Callout tone="warning">
            The requests of the last 24 hours could not be counted. Make sure that each of your
            programs sends a token.
          </Callout>
        ) : callers === undefined ? (
          <p className="text-muted">Counting the requests that would be refused…</p>
        ) : (
          <StoppedCallers {...callers} />
        )}
      </div>
      <p className="text-muted">
        The token goes into <code className="font-mono text-sm">Authorization</code> on the REST
        API, and into <code className="font-mono text-sm">cf-aig-authorization</code> on the gateway
        host.
      </p>
    </>
  );
}

function StoppedCallers(callers: Callers) {
  const { gateway } = useGatewayOfPage();
  const { requests, unknown } = callers;
  if (requests === 0) {
    return (
      <Callout tone={gateway.collect_logs ? 'neutral' : 'warning'}>
        {gateway.collect_logs
          ? 'No request was logged in the last 24 hours, so none is known that would stop working.'
          : 'This gateway keeps no log, so it is not known who sends requests without a token.'}
      </Callout>
    );
  }
  if (unknown === 0) {
    return (
      <Callout tone="good">
        {partOfRequests(requests, callers)} of the last 24 hours came with a valid token. They go on
        working.
      </Callout>
    );
  }
  const part = partOfRequests(unknown, callers);
  return (
    <Callout tone="warning" title={`${part} of the last 24 hours came without a valid token`}>
      Whatever sent them stops working. Give it a token first, and come back when all requests carry
      one.
    </Callout>
  );
}

/** What switching off means. */
function WhatOpens() {
  const { gateway } = useGatewayOfPage();
  return (
    <>
      <p>
        From now on everybody who can reach this server can send requests through this gateway, with
        any token or none. They fill its log and use up its limits.
      </p>
      {gateway.allow_stored_keys_unauthenticated ? (
        <Callout tone="danger" title="They may use the keys that this gateway keeps">
          The settings lend stored provider keys to callers without a token, so anybody can spend
          your money with the providers. Switch that off first, unless you mean it.
        </Callout>
      ) : (
        <p>
          The provider keys that the gateway keeps, and those of the server, are lent to callers
          with a valid token only. Callers without one need a key of their own.
        </p>
      )}
      <p>
        Where a spend limit counts each token by itself, all requests without one share a budget.
      </p>
    </>
  );
}
