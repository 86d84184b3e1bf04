import { type ReactNode, useMemo, useState } from 'react';
import type { LogDetails } from '../../../api/gateway-log.ts';
import type { Conversation, Message } from '../../../lib/conversation/conversation.ts';
import { messageOfError, readAnswer } from '../../../lib/conversation/read-answer.ts';
import { readRequest } from '../../../lib/conversation/read-request.ts';
import type { AssembledStream } from '../../../lib/stream/assembled-stream.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import { Completeness, absence } from './body-view.tsx';
import { MessageView } from './message-view.tsx';
import { CALLER_LEFT } from './log-head.tsx';
import type { Body } from './use-body.ts';

interface ConversationViewProps {
  log: LogDetails;
  request: Body;
  response: Body;
  /** What the answer's events make; undefined when it is no stream, or not all here. */
  stream: AssembledStream | undefined;
  isStream: boolean;
  onTab: (tab: string) => void;
}

/** A request and its answer as those who speak in it would tell it. */
export function ConversationView(props: ConversationViewProps) {
  const { log, request, response, stream, onTab } = props;
  const asked = useMemo(() => readRequest(request.value), [request.value]);
  const answered = useMemo(() => answerOf(response, stream), [response, stream]);
  return (
    <div className="space-y-5">
      <Side title={labels.request} body={request} onRaw={() => onTab(labels.request)}>
        {asked && <Asked conversation={asked} />}
      </Side>
      <Side title={labels.response} body={response} onRaw={() => onTab(labels.response)}>
        {answered && <Messages conversation={answered} isAnswer />}
        {stream?.assembled?.isComplete === false && <BrokenOff log={log} stream={stream} />}
      </Side>
    </div>
  );
}

function answerOf(response: Body, stream: AssembledStream | undefined): Conversation | undefined {
  const answer = readAnswer(stream?.assembled?.answer ?? response.value);
  const { failure } = stream ?? {};
  if (failure === undefined) return answer;
  const failures = [messageOfError(failure)];
  return { messages: [], settings: [], tools: [], ...answer, failures };
}

function BrokenOff({ log, stream }: { log: LogDetails; stream: AssembledStream }) {
  return (
    <Callout tone="warning">
      {log.status_code === CALLER_LEFT
        ? labels.theClientDisconnectedBefore
        : labels.theStreamEndedEarly(stream.rest === '' ? '' : ', in the middle of an event')}
    </Callout>
  );
}

interface SideProps {
  title: string;
  body: Body;
  onRaw: () => void;
  children: ReactNode;
}

function Side({ title, body, onRaw, children }: SideProps) {
  const isUnderstood = Array.isArray(children) ? children.some(Boolean) : Boolean(children);
  return (
    <section className="space-y-3">
      <h3 className="font-semibold">{title}</h3>
      {body.kind === 'text' ? (
        <>
          {!body.isLoaded && <Completeness body={body} />}
          {children}
          {!isUnderstood && body.isLoaded && (
            <p className="text-[0.9375rem] text-muted">
              This format has no conversation view.{' '}
              <button type="button" onClick={onRaw} className="underline">
                {labels.showRawBody}
              </button>
            </p>
          )}
        </>
      ) : (
        <p className="text-[0.9375rem] text-muted">{absence(body)}</p>
      )}
    </section>
  );
}

function Asked({ conversation }: { conversation: Conversation }) {
  const { settings, tools } = conversation;
  return (
    <>
      {(settings.length > 0 || tools.length > 0) && (
        <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {settings.map(([name, value]) => (
            <Setting key={name} name={name} value={value} />
          ))}
          {tools.length > 0 && <Setting name="tools" value={tools.join(', ')} />}
        </dl>
      )}
      <Messages conversation={conversation} />
    </>
  );
}

function Setting({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 truncate font-mono text-[0.8125rem] leading-5" title={value}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

// Of a long conversation what was said first says what it is about, and what was said last is news.
const SHOWN_AT_ONCE = 10;
const SHOWN_FIRST = 2;

interface MessagesProps {
  conversation: Conversation;
  isAnswer?: boolean;
}

function Messages({ conversation: { messages, failures }, isAnswer = false }: MessagesProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isLong = messages.length > SHOWN_AT_ONCE && !isUnfolded;
  const first = isLong ? messages.slice(0, SHOWN_FIRST) : messages;
  const last = isLong ? messages.slice(SHOWN_FIRST - SHOWN_AT_ONCE) : [];
  return (
    <>
      {failures.map((failure) => (
        <Callout key={failure} tone="danger" title={labels.itFailed}>
          <bdi>{failure}</bdi>
        </Callout>
      ))}
      <MessageList messages={first} isAnswer={isAnswer} />
      {isLong && (
        <Button isSmall onClick={() => setIsUnfolded(true)}>
          {labels.showMessagesInBetween(messages.length - SHOWN_AT_ONCE)}
        </Button>
      )}
      <MessageList messages={last} isAnswer={isAnswer} />
    </>
  );
}

interface MessageListProps {
  messages: readonly Message[];
  isAnswer: boolean;
}

function MessageList({ messages, isAnswer }: MessageListProps) {
  if (messages.length === 0) return null;
  return (
    <ol className="space-y-3">
      {messages.map((message, index) => (
        <MessageView key={index} message={message} isAnswer={isAnswer} />
      ))}
    </ol>
  );
}
