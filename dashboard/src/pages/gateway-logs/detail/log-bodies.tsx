import { useMemo } from 'react';
import type { LogDetails, WhichLog } from '../../../api/gateway-log.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { isEventStream } from '../../../lib/gateway-command.ts';
import { assembleStream } from '../../../lib/stream/assembled-stream.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { BodyView } from './body-view.tsx';
import { CommandView } from './command-view.tsx';
import { ConversationView } from './conversation-view.tsx';
import { StreamView } from './stream-view.tsx';
import { useBody } from './use-body.ts';

interface LogBodiesProps {
  which: WhichLog;
  gateway: Gateway;
  log: LogDetails;
  /** The view that is open; undefined: the first one. */
  tab: string | undefined;
  onTab: (tab: string) => void;
}

/** What was asked and answered: as a conversation, as it was kept, and to be sent again. */
export function LogBodies({ which, gateway, log, tab, onTab }: LogBodiesProps) {
  const request = useBody(which, log, 'request');
  const response = useBody(which, log, 'response');
  const isStream = isEventStream(log.response_content_type);
  const { text, isLoaded } = response;
  const stream = useMemo(
    () => (isStream && isLoaded ? assembleStream(text) : undefined),
    [isStream, isLoaded, text],
  );
  if (request.kind === 'none' && response.kind === 'none') return <NotKept gateway={gateway} />;
  const views = { request, response, stream, isStream };
  const tabs = [
    { title: 'Conversation', content: <ConversationView {...views} log={log} onTab={onTab} /> },
    { title: 'Request', content: <BodyView body={request} name={`${log.id}-request`} /> },
    { title: 'Response', content: <BodyView body={response} name={`${log.id}-response`} /> },
    ...(isStream ? [{ title: 'Stream', content: <StreamView {...views} /> }] : []),
    { title: 'curl', content: <CommandView which={which} log={log} {...views} /> },
  ];
  const open = tabs.find(({ title }) => title === tab)?.title ?? 'Conversation';
  return (
    <Card>
      <Tabs label="What was asked and answered" tabs={tabs} open={open} onOpen={onTab} />
    </Card>
  );
}

/** Why there is neither a request nor an answer. */
function NotKept({ gateway }: { gateway: Gateway }) {
  return (
    <Callout tone="neutral" title="What was asked and answered was not kept">
      <p>
        {gateway.zdr
          ? 'This gateway keeps no bodies: zero data retention is switched on in its settings.'
          : 'The gateway kept no bodies at that time (zero data retention), or the request asked for that with the header cf-aig-collect-log-payload: false. A server that cannot write its logs for a while drops bodies, too.'}
      </p>
    </Callout>
  );
}
