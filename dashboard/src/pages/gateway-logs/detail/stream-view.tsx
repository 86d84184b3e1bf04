import { useMemo, useState } from 'react';
import { readAnswer } from '../../../lib/conversation/read-answer.ts';
import { formatCount } from '../../../lib/figures.ts';
import { DONE, type StreamEvent } from '../../../lib/stream/event-stream.ts';
import type { AssembledStream } from '../../../lib/stream/assembled-stream.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy.tsx';
import { labels } from '../labels.ts';
import { Completeness, absence } from './body-view.tsx';
import { Choices } from './choices.tsx';
import { JsonView } from './json-view.tsx';
import { MessageView } from './message-view.tsx';
import { RawView } from './raw-view.tsx';
import type { Body } from './use-body.ts';

interface StreamViewProps {
  response: Body;
  stream: AssembledStream | undefined;
}

/** A stream as the message that its events make, with the events themselves. */
export function StreamView({ response, stream }: StreamViewProps) {
  if (response.kind !== 'text') {
    return <p className="text-[0.9375rem] text-muted">{absence(response)}</p>;
  }
  if (stream === undefined) return <Completeness body={response} />;
  const { events, assembled, rest } = stream;
  return (
    <div className="space-y-5">
      {assembled === undefined ? (
        <Callout tone="neutral" title={labels.thisStreamCantBeAssembled}>
          {labels.theGatewayDoesntRecognize}
        </Callout>
      ) : (
        <AssembledAnswer stream={stream} />
      )}
      <Events events={events} />
      {rest.trim() !== '' && (
        <section className="space-y-2">
          <h3 className="font-semibold">{labels.afterTheLastCompleteEvent}</h3>
          <RawView text={rest} label="the rest of the stream" />
        </section>
      )}
    </div>
  );
}

function AssembledAnswer({ stream }: { stream: AssembledStream }) {
  const { api, assembled } = stream;
  const [look, setLook] = useState<'Message' | 'JSON'>('Message');
  const json = useMemo(() => JSON.stringify(assembled?.answer ?? {}, null, 2), [assembled]);
  const answer = readAnswer(assembled?.answer);
  return (
    <section className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="min-w-0 flex-1 basis-48">
          <h3 className="font-semibold">{labels.assembled}</h3>
          <p className="text-sm text-muted">
            {api}, {assembled?.isComplete === true ? 'to its end' : 'broken off before its end'}
          </p>
        </div>
        <Choices
          label={labels.viewOfTheAssembledMessage}
          choices={['Message', 'JSON']}
          chosen={look}
          onChoose={setLook}
        />
        <CopyButton text={json} label={labels.copyAssembledMessage} />
      </div>
      {look === 'JSON' || answer === undefined ? (
        <JsonView text={json} label="assembled message" />
      ) : (
        <ol className="space-y-3" aria-label={labels.assembledMessage}>
          {answer.messages.map((message, index) => (
            <MessageView key={index} message={message} isAnswer />
          ))}
        </ol>
      )}
    </section>
  );
}

const FIRST_EVENTS = 50;
const MORE_EVENTS = 200;

function Events({ events }: { events: readonly StreamEvent[] }) {
  const [most, setMost] = useState(FIRST_EVENTS);
  const left = events.length - most;
  return (
    <section className="space-y-2">
      <h3 className="font-semibold">
        {events.length === 1 ? labels.oneEvent : labels.events(formatCount(events.length))}
      </h3>
      {events.length > 0 && (
        <ol
          className="divide-y divide-line rounded-lg border border-line"
          aria-label={labels.eventsTitle}
        >
          {events.slice(0, most).map((event, index) => (
            <Event key={index} event={event} number={index + 1} />
          ))}
        </ol>
      )}
      {left > 0 && (
        <Button isSmall onClick={() => setMost(most + MORE_EVENTS)}>
          {labels.showMoreOfEvents(formatCount(left))}
        </Button>
      )}
    </section>
  );
}

function Event({ event: { name, data }, number }: { event: StreamEvent; number: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const isLaidOut = isOpen && data !== DONE;
  return (
    <li className="font-mono text-xs">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left hover:bg-hover"
      >
        <span className="w-8 shrink-0 text-right text-muted tabular-nums">{number}</span>
        {name !== undefined && <span className="max-w-[40%] truncate text-info">{name}</span>}
        <bdi className="min-w-0 flex-1 truncate">{data.slice(0, 300)}</bdi>
      </button>
      {isLaidOut && (
        <div className="px-3 pb-3">
          <JsonView text={data} label={`event ${number}`} firstLines={60} />
        </div>
      )}
    </li>
  );
}
