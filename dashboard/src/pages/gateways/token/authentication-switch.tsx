import { Edit } from '../../../api/edit.ts';
import { readGateway } from '../../../api/gateways.ts';
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
import { labels } from './labels.ts';

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
    await changeGateway(place, new Edit(gateway, () => readGateway(place)), {
      authentication: isTurningOn,
    });
    toast(labels.authenticatedGatewayIs(isTurningOn ? 'on' : 'off'));
  };
  return (
    <>
      <Button look={look} disabled={!mayChange} onClick={ask}>
        {gateway.authentication ? labels.turnOff : labels.turnOn}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={labels.turnAuthenticatedGatewayFor(isTurningOn ? 'on' : 'off', gateway.id)}
        label={isTurningOn ? labels.turnOn : labels.turnOff}
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
      <p>{labels.eachRequestThenNeeds}</p>
      <div role="status">
        {isUnknown ? (
          <Callout tone="warning">{labels.theRequestsOfTheLast}</Callout>
        ) : callers === undefined ? (
          <p className="text-muted">{labels.countingRequestsWithoutAValid}</p>
        ) : (
          <StoppedCallers {...callers} />
        )}
      </div>
      <p className="text-muted">
        Send the token in <code className="font-mono text-sm">{labels.authorization}</code> on the
        REST API and in <code className="font-mono text-sm">cf-aig-authorization</code> on the
        gateway host.
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
        {gateway.collect_logs ? labels.noRequestWasLogged : labels.logsAreDisabledSoRequests}
      </Callout>
    );
  }
  if (unknown === 0) {
    return (
      <Callout tone="good">{labels.ofTheLast24Hours(partOfRequests(requests, callers))}</Callout>
    );
  }
  const part = partOfRequests(unknown, callers);
  return (
    <Callout tone="warning" title={labels.ofTheLast24HoursHad(part)}>
      {labels.theProgramsThatSentThem}
    </Callout>
  );
}

/** What switching off means. */
function WhatOpens() {
  const { gateway } = useGatewayOfPage();
  return (
    <>
      <p>{labels.anyClientThatCanReach}</p>
      {gateway.allow_stored_keys_unauthenticated ? (
        <Callout tone="danger" title={labels.unauthenticatedClientsCanUseStored}>
          {labels.theSettingsLetClientsWithout}
        </Callout>
      ) : (
        <p>{labels.onlyClientsWithAValid}</p>
      )}
      <p>{labels.ifASpendLimitCounts}</p>
    </>
  );
}
