import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AuditRow, type AuditSource, auditRowQuery } from '../../api/audit-log.ts';
import { deviceOf } from '../../lib/user-agent.ts';
import { Badge } from '../../ui/badge.tsx';
import { CopyText } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fact, Facts } from '../../ui/page.tsx';
import { LoadFailure, LoadingRows } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ResourceLink } from '../resource-link.tsx';
import { AuditChange } from './audit-change.tsx';
import type { AuditSearch } from './audit-search.ts';
import {
  actorTypeWords,
  describeAction,
  nameOf,
  resourceWords,
  resultWords,
} from './audit-words.ts';
import { labels } from './labels.ts';

interface AuditDetailProps {
  source: AuditSource;
  /** Undefined: none is open. */
  id: string | undefined;
  search: AuditSearch;
  onClose: () => void;
}

/** One entry with all that the log keeps of it. */
export function AuditDetail({ source, id, search, onClose }: AuditDetailProps) {
  return id === undefined ? null : (
    <OpenDetail key={id} source={source} id={id} search={search} onClose={onClose} />
  );
}

function OpenDetail({ source, id, search, onClose }: AuditDetailProps & { id: string }) {
  const { data: row, error, refetch, isPending } = useQuery(auditRowQuery(source, id));
  const isMissing = row === null;
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={row ? describeAction(row) : isMissing ? labels.entryNotFound : labels.entry}
    >
      {isPending && <LoadingRows rows={3} />}
      {error !== null && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {isMissing && <p className="text-muted">{labels.theUrlIsWrong}</p>}
      {row && (
        <div className="space-y-6">
          <RowFacts row={row} />
          <AuditChange source={source} row={row} search={search} />
        </div>
      )}
    </Dialog>
  );
}

// Which of two came first may be a matter of seconds.
const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function RowFacts({ row }: { row: AuditRow }) {
  const { action, raw, actor } = row;
  const isDone = action.result === 'success';
  return (
    <Facts>
      <Fact name={labels.action}>
        <What row={row} />
      </Fact>
      <Fact name={labels.result}>
        <Badge tone={isDone ? 'good' : 'danger'}>{resultWords(row)}</Badge>
        {!isDone && <p className="mt-1 text-sm">{action.description}</p>}
      </Fact>
      <Fact name={labels.actor}>
        <Who row={row} />
      </Fact>
      <Fact name={labels.time}>
        {exactTime.format(new Date(action.time))} <span className="text-muted">(</span>
        <span className="text-muted">
          <Time value={action.time} />)
        </span>
      </Fact>
      {(actor.ip_address !== undefined || raw.user_agent !== undefined) && (
        <Fact name={labels.ipAddress}>
          {actor.ip_address !== undefined && (
            <CopyText text={actor.ip_address} label={labels.copyIpAddress} />
          )}
          {raw.user_agent !== undefined && (
            <p className="text-sm text-muted" title={raw.user_agent}>
              {deviceOf(raw.user_agent).name}
            </p>
          )}
        </Fact>
      )}
      {raw.request_id !== undefined && (
        <Fact name={labels.request}>
          <CopyText text={raw.request_id} label={labels.copyRequestId} />
          <p className="font-mono text-sm wrap-anywhere text-muted">
            {raw.method} {raw.uri} {raw.status_code !== undefined && `· ${raw.status_code}`}
          </p>
        </Fact>
      )}
      <Fact name={labels.entry}>
        <CopyText text={row.id} label={labels.copyEntryId} />
      </Fact>
    </Facts>
  );
}

function What({ row }: { row: AuditRow }) {
  const { type, id } = row.resource;
  const name = nameOf(row);
  return (
    <>
      <p>
        <span className="inline-block first-letter:uppercase">{resourceWords(type)}</span>
        {name !== undefined && (
          <>
            {' '}
            <strong className="wrap-anywhere">{name}</strong>
          </>
        )}
      </p>
      {id !== undefined && <CopyText text={id} label={labels.copyIdOfTheResource} />}
      <PageOfResource row={row} />
    </>
  );
}

function Who({ row }: { row: AuditRow }) {
  const { type, email, id, token_name: tool, token_id: toolId } = row.actor;
  return (
    <>
      <p className="wrap-anywhere">
        {email ?? (type === 'system' ? labels.thisServer : (tool ?? actorTypeWords(type)))}
      </p>
      <p className="text-sm text-muted">
        {actorTypeWords(type)}
        {tool !== undefined && email !== undefined && `: ${tool}`}
      </p>
      {id !== undefined && <CopyText text={id} label={labels.copyActorId} />}
      {toolId !== undefined && toolId !== id && (
        <p>
          <CopyText text={toolId} label={labels.copyTokenOrApplicationId} />
        </p>
      )}
    </>
  );
}

const LINK = 'mt-1 inline-block text-sm underline';

/** A link to the thing, when it has a page and is not gone by what the entry tells. */
function PageOfResource({ row }: { row: AuditRow }): ReactNode {
  const { account, action, resource } = row;
  if (resource.id === undefined || action.type === 'delete') return null;
  const { id, type } = resource;
  if (account === undefined) return <OwnPage type={type} id={id} />;
  return <ResourceLink accountId={account.id} type={type} id={id} className={LINK} />;
}

function OwnPage({ type, id }: { type: string; id: string }): ReactNode {
  switch (type) {
    case 'user':
      return (
        <Link to="/profile" className={LINK}>
          {labels.openYourProfile}
        </Link>
      );
    case 'session':
      return (
        <Link to="/profile/sessions" className={LINK}>
          {labels.viewYourSessions}
        </Link>
      );
    case 'oauth_grant':
      return (
        <Link to="/profile/applications" className={LINK}>
          {labels.viewYourAuthorizedApplications}
        </Link>
      );
    case 'api_token':
      return (
        <Link to="/profile/tokens/$tokenId" params={{ tokenId: id }} className={LINK}>
          {labels.openTheApiToken}
        </Link>
      );
    case 'passkey':
    case 'totp_factor':
    case 'recovery_codes':
      return (
        <Link to="/profile/security" className={LINK}>
          {labels.openSignInAndSecurity}
        </Link>
      );
    default:
      return null;
  }
}
