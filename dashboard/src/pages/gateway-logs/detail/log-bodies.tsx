import { useMemo } from 'react';
import type { LogDetails, WhichLog } from '../../../api/gateway-log.ts';
import type { Gateway } from '../../../api/gateways.ts';
import { isEventStream } from '../../../lib/gateway-command.ts';
import { assembleStream } from '../../../lib/stream/assembled-stream.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { labels } from '../labels.ts';
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
    {
      title: labels.conversation,
      content: <ConversationView {...views} log={log} onTab={onTab} />,
    },
    { title: labels.request, content: <BodyView body={request} name={`${log.id}-request`} /> },
    { title: labels.response, content: <BodyView body={response} name={`${log.id}-response`} /> },
    ...(isStream ? [{ title: labels.stream, content: <StreamView {...views} /> }] : []),
    { title: 'curl', content: <CommandView which={which} log={log} {...views} /> },
  ];
  const open = tabs.find(({ title }) => title === tab)?.title ?? labels.conversation;
  return (
    <Card>
      <Tabs label={labels.requestAndResponse} tabs={tabs} open={open} onOpen={onTab} />
    </Card>
  );
}

/** Why there is neither a request nor an answer. */
function NotKept({ gateway }: { gateway: Gateway }) {
  return (
    <Callout tone="neutral" title={labels.requestAndResponseAreNot}>
      <p>{gateway.zdr ? labels.zeroDataRetentionIsEnabled : labels.zeroDataRetentionWasEnabled}</p>
    </Callout>
  );
}
