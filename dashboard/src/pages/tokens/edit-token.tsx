import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ban, CircleCheck, RefreshCw, Trash2 } from '../../ui/icons.tsx';
import { useState } from 'react';
import {
  type ApiToken,
  permissionGroupsQuery,
  readToken,
  refreshTokens,
  tokenQuery,
  updateToken,
} from '../../api/tokens.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, CopyText } from '../../ui/copy.tsx';
import { Card, Fact, Facts, Page } from '../../ui/page.tsx';
import { Time, formatTime } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { labels } from './labels.ts';
import { type Deed, TokenDeeds, switchOf } from './token-deeds.tsx';
import { type TokenDraft, bodyOfDraft, draftOf } from './token-draft.ts';
import { TokenForm } from './token-form.tsx';
import { useTokenHome } from './token-home.tsx';
import { ReadOnlyTokens, UnseenTokens } from './token-rights.tsx';
import { StateBadge } from './token-state.tsx';
import { TokenSummary } from './token-summary.tsx';
import { namedPolicies } from './token-words.ts';

/** One token: what it is, and a form to change it. */
export function EditToken({ tokenId }: { tokenId: string }) {
  const { mayRead } = useTokenHome();
  if (mayRead) return <TokenPage tokenId={tokenId} />;
  return (
    <Page title={labels.token}>
      <UnseenTokens />
    </Page>
  );
}

function TokenPage({ tokenId }: { tokenId: string }) {
  const home = useTokenHome();
  const navigate = useNavigate();
  usePrefetchQuery(permissionGroupsQuery(home.owner));
  const { data: token } = useSuspenseQuery(tokenQuery(home.owner, tokenId));
  const [deed, setDeed] = useState<Deed>();
  return (
    <Page
      title={token.name}
      beside={<StateBadge token={token} />}
      back={{ ...home.list, label: labels.apiTokens }}
      actions={home.mayWrite && <DeedButtons token={token} onDeed={setDeed} />}
    >
      {!home.mayWrite && <ReadOnlyTokens />}
      <Card title={labels.aboutThisToken}>
        <TokenFacts token={token} />
      </Card>
      {home.mayWrite ? <EditForm token={token} /> : <Definition token={token} />}
      <TokenDeeds
        token={token}
        deed={deed}
        onClose={() => setDeed(undefined)}
        // What was changed in the form is of no use any more.
        onDeleted={() => navigate({ ...home.list, ignoreBlocker: true })}
      />
    </Page>
  );
}

function DeedButtons({ token, onDeed }: { token: ApiToken; onDeed: (deed: Deed) => void }) {
  const toSwitch = switchOf(token);
  return (
    <>
      <Button icon={<RefreshCw aria-hidden className="size-4" />} onClick={() => onDeed('roll')}>
        {labels.roll}
      </Button>
      {toSwitch === 'disable' && (
        <Button icon={<Ban aria-hidden className="size-4" />} onClick={() => onDeed('disable')}>
          {labels.disable}
        </Button>
      )}
      {toSwitch === 'enable' && (
        <Button
          icon={<CircleCheck aria-hidden className="size-4" />}
          onClick={() => onDeed('enable')}
        >
          {labels.enable}
        </Button>
      )}
      <Button
        look="danger-plain"
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={() => onDeed('delete')}
      >
        {labels.delete}
      </Button>
    </>
  );
}

function TokenFacts({ token }: { token: ApiToken }) {
  const { last_used_on: lastUsed, creator_email_at_creation: creator } = token;
  return (
    <Facts>
      <Fact name={labels.tokenId}>
        <CopyText text={token.id} label={labels.copyTokenId} />
      </Fact>
      <Fact name={labels.issued}>{formatTime(token.issued_on)}</Fact>
      {creator !== undefined && <Fact name={labels.createdBy}>{creator}</Fact>}
      <Fact name={labels.changed}>{formatTime(token.modified_on)}</Fact>
      <Fact name={labels.lastUsed}>
        {lastUsed === undefined ? (
          labels.neverUsed
        ) : (
          <>
            {formatTime(lastUsed)} (<Time value={lastUsed} />)
          </>
        )}
      </Fact>
    </Facts>
  );
}

const EDITED = ['name', 'policies', 'condition', 'not_before', 'expires_on'] as const;

function EditForm({ token }: { token: ApiToken }) {
  const home = useTokenHome();
  // What was there when the form was opened: a change in between does not take away what was typed.
  const [stored, setStored] = useState(token);
  const isOutdated = JSON.stringify(draftOf(token, home)) !== JSON.stringify(draftOf(stored, home));
  return (
    <>
      {isOutdated && <Outdated onRenew={() => setStored(token)} />}
      <StoredForm key={JSON.stringify(stored)} stored={stored} />
    </>
  );
}

function StoredForm({ stored }: { stored: ApiToken }) {
  const home = useTokenHome();
  const navigate = useNavigate();
  const edit = useEdit(stored, () => readToken(home.owner, stored.id));
  const save = async (filled: TokenDraft): Promise<void> => {
    await edit.save(EDITED, (headers) =>
      updateToken(home.owner, stored.id, bodyOfDraft(filled, home, stored), headers),
    );
    toast(labels.savedTheToken);
    await navigate(home.list);
    void refreshTokens(home.owner);
  };
  return (
    <TokenForm
      draft={draftOf(stored, home)}
      stored={stored}
      save={save}
      saveLabel={labels.saveToken}
    />
  );
}

/** The API takes a token as a whole: what another tab has saved would be undone. */
function Outdated({ onRenew }: { onRenew: () => void }) {
  return (
    <Callout
      tone="warning"
      isAlert
      title={labels.thisTokenWasChanged}
      actions={
        <Button isSmall onClick={onRenew}>
          {labels.showCurrentVersion}
        </Button>
      }
    >
      {labels.anotherUserChangedTheToken}
    </Callout>
  );
}

/** For who may look and not change. */
function Definition({ token }: { token: ApiToken }) {
  const { name, policies, not_before, expires_on, condition } = token;
  const definition = { name, policies, not_before, expires_on, condition };
  return (
    <>
      <Card title={labels.permissions}>
        <TokenSummary policies={namedPolicies(token)} limits={token} />
      </Card>
      <Card title={labels.definition}>
        <CodeBlock label={labels.json} text={JSON.stringify(definition, null, 2)} />
      </Card>
    </>
  );
}
