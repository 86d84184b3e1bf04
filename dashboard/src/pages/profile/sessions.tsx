import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Monitor, Smartphone } from '../../ui/icons.tsx';
import { useState } from 'react';
import { type Session, endOtherSessions, endSession, sessionsQuery } from '../../api/sessions.ts';
import { deviceOf } from '../../lib/user-agent.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { describeMethods } from './sign-in-methods.ts';

/** Where the person is signed in, this browser first. */
export function Sessions() {
  const { data: sessions } = useSuspenseQuery(sessionsQuery);
  const [ending, setEnding] = useState<Session | 'others'>();
  const ordered = [...sessions].toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.last_seen_on.localeCompare(a.last_seen_on),
  );
  const others = sessions.filter(({ current }) => !current).length;
  return (
    <Page
      title={labels.sessions}
      lead={labels.browsersAndDevicesWhereYou}
      actions={
        others > 0 && <Button onClick={() => setEnding('others')}>{labels.endAllOthers}</Button>
      }
    >
      <Card isFlush>
        <Table
          caption={labels.yourSessions}
          columns={columnsOf(setEnding)}
          rows={ordered}
          keyOf={({ id }) => id}
        />
      </Card>
      <p className="text-sm text-muted">
        Don't recognize a session? End it, and{' '}
        <Link to="/profile/security" className="text-text underline">
          change your password
        </Link>
        .
      </p>
      <EndOne
        session={typeof ending === 'object' ? ending : undefined}
        onClose={() => setEnding(undefined)}
      />
      <EndOthers isOpen={ending === 'others'} count={others} onClose={() => setEnding(undefined)} />
    </Page>
  );
}

function columnsOf(onEnd: (session: Session) => void): Column<Session>[] {
  return [
    { title: labels.device, cell: (session) => <DeviceName session={session} /> },
    { title: labels.signedInWith, cell: ({ methods }) => describeMethods(methods) },
    { title: labels.address, cell: ({ ip }) => <span className="font-mono text-sm">{ip}</span> },
    { title: labels.lastSeen, cell: ({ last_seen_on: seen }) => <Time value={seen} /> },
    { title: labels.expires, cell: ({ expires_on: end }) => <Time value={end} /> },
    {
      title: labels.actions,
      isTitleHidden: true,
      isAtEnd: true,
      cell: (session) =>
        session.current ? null : (
          <Button
            isSmall
            aria-label={labels.endSession(deviceOf(session.user_agent).name, session.ip)}
            onClick={() => onEnd(session)}
          >
            {labels.end}
          </Button>
        ),
    },
  ];
}

function DeviceName({ session }: { session: Session }) {
  const { name, isHandHeld } = deviceOf(session.user_agent);
  const Icon = isHandHeld ? Smartphone : Monitor;
  return (
    <span className="flex items-center gap-2.5 max-md:pr-16 max-md:text-left">
      <Icon aria-hidden className="size-4.5 shrink-0 text-muted" />
      <span className="font-medium" title={session.user_agent}>
        {name}
      </span>
      {session.current && <Badge tone="good">{labels.thisSession}</Badge>}
    </span>
  );
}

function EndOne({ session, onClose }: { session: Session | undefined; onClose: () => void }) {
  return (
    <Confirm
      isOpen={session !== undefined}
      onClose={onClose}
      title={labels.endThisSession}
      label={labels.endSessionAction}
      onConfirm={async () => {
        if (session !== undefined) await endSession(session.id);
        toast(labels.endedTheSession);
      }}
    >
      <p>
        {session !== undefined && <strong>{deviceOf(session.user_agent).name}</strong>} is signed
        out immediately. Applications and API tokens keep working.
      </p>
    </Confirm>
  );
}

function EndOthers({
  isOpen,
  count,
  onClose,
}: {
  isOpen: boolean;
  count: number;
  onClose: () => void;
}) {
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={labels.endAllOtherSessions}
      label={labels.endAllOthers}
      onConfirm={async () => {
        const ended = await endOtherSessions();
        toast(ended === 1 ? labels.endedOneSession : labels.endedSessions(ended));
      }}
    >
      <p>
        {labels.willBeSignedOutImmediately(
          count === 1 ? 'The one other browser' : `All ${count} other browsers`,
        )}
      </p>
    </Confirm>
  );
}
