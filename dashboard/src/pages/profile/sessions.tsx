import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Monitor, Smartphone } from 'lucide-react';
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
      title="Sessions"
      lead="Every browser and device where you are signed in. End what you do not know or use no longer."
      actions={others > 0 && <Button onClick={() => setEnding('others')}>End all others</Button>}
    >
      <Card isFlush>
        <Table
          caption="Your sessions"
          columns={columnsOf(setEnding)}
          rows={ordered}
          keyOf={({ id }) => id}
        />
      </Card>
      <p className="text-sm text-muted">
        Something here that was not you? End it, and{' '}
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
    { title: 'Device', cell: (session) => <DeviceName session={session} /> },
    { title: 'Signed in with', cell: ({ methods }) => describeMethods(methods) },
    { title: 'Address', cell: ({ ip }) => <span className="font-mono text-sm">{ip}</span> },
    { title: 'Last seen', cell: ({ last_seen_on: seen }) => <Time value={seen} /> },
    { title: 'Ends', cell: ({ expires_on: end }) => <Time value={end} /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      isAtEnd: true,
      cell: (session) =>
        session.current ? null : (
          <Button
            isSmall
            aria-label={`End session: ${deviceOf(session.user_agent).name}, ${session.ip}`}
            onClick={() => onEnd(session)}
          >
            End
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
      {session.current && <Badge tone="good">This one</Badge>}
    </span>
  );
}

function EndOne({ session, onClose }: { session: Session | undefined; onClose: () => void }) {
  return (
    <Confirm
      isOpen={session !== undefined}
      onClose={onClose}
      title="End this session?"
      label="End session"
      onConfirm={async () => {
        if (session !== undefined) await endSession(session.id);
        toast('The session has ended.');
      }}
    >
      <p>
        {session !== undefined && <strong>{deviceOf(session.user_agent).name}</strong>} will be
        signed out at once. Applications and API tokens go on.
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
      title="End all other sessions?"
      label="End all others"
      onConfirm={async () => {
        const ended = await endOtherSessions();
        toast(ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.`);
      }}
    >
      <p>
        {count === 1 ? 'The one other browser' : `All ${count} other browsers`} will be signed out
        at once. You stay signed in here. Applications and API tokens go on.
      </p>
    </Confirm>
  );
}
