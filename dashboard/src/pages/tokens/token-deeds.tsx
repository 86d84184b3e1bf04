import { Edit, type IfMatch } from '../../api/edit.ts';
import { useState } from 'react';
import {
  type ApiToken,
  type TokenBody,
  deleteToken,
  forgetToken,
  refreshTokens,
  rollToken,
  readToken,
  updateToken,
} from '../../api/tokens.ts';
import { Confirm, ConfirmDeletion } from '../../ui/confirm.tsx';
import { OnceDialog } from '../../ui/shown-once.tsx';
import { formatTime } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { labels } from './labels.ts';
import { LEAVE_WITHOUT_TOKEN, NewValue } from './new-value.tsx';
import { useTokenHome } from './token-home.tsx';
import { isOver } from './token-state.tsx';
import { serverNow } from '../../lib/server-time.ts';

/** What can be done with a token besides editing it. */
export type Deed = 'roll' | 'disable' | 'enable' | 'delete';

/** Whether the token can be disabled, or enabled, as it stands: not when its time is over. */
export function switchOf(token: ApiToken): 'disable' | 'enable' | undefined {
  // The API takes no definition whose end has passed.
  if (isOver(token, serverNow())) return undefined;
  return token.status === 'disabled' ? 'enable' : 'disable';
}

/** A token as it is sent back, but for its status. */
function bodyOf({ name, policies, not_before, expires_on, condition }: ApiToken): TokenBody {
  return {
    name,
    policies: policies as TokenBody['policies'],
    ...(not_before !== undefined && { not_before }),
    ...(expires_on !== undefined && { expires_on }),
    ...(condition !== undefined && { condition }),
  };
}

interface TokenDeedsProps {
  token: ApiToken | undefined;
  /** What is asked about now. */
  deed: Deed | undefined;
  onClose: () => void;
  /** The token is gone: leads away from its page. */
  onDeleted?: () => Promise<void>;
}

/** Asks whether a deed is meant, does it, and shows the value that a roll brings. */
export function TokenDeeds({ token, deed, onClose, onDeleted }: TokenDeedsProps) {
  const { owner } = useTokenHome();
  const [rolled, setRolled] = useState<{ name: string; value: string }>();
  const roll = async ({ id, name }: ApiToken): Promise<void> => {
    const value = await rollToken(owner, id);
    setRolled({ name, value });
    void refreshTokens(owner);
  };
  const setStatus = async (shown: ApiToken, status: 'active' | 'disabled'): Promise<void> => {
    const edit = new Edit(shown, () => readToken(owner, shown.id));
    // The API takes a token as a whole, which somebody may have changed since it was shown.
    await edit.save([], (headers, token) =>
      updateToken(owner, shown.id, { ...bodyOf(token), status }, headers),
    );
    toast(status === 'active' ? labels.enabledTheToken : labels.disabledTheToken);
    await refreshTokens(owner);
  };
  const remove = async ({ id }: ApiToken, headers: IfMatch): Promise<void> => {
    await deleteToken(owner, id, headers);
    toast(labels.deletedTheToken);
    await onDeleted?.();
    await forgetToken(owner, id);
  };
  return (
    <>
      {token !== undefined && (
        <>
          <RollQuestion
            token={token}
            isOpen={deed === 'roll'}
            onClose={onClose}
            onConfirm={() => roll(token)}
          />
          <SwitchQuestion token={token} deed={deed} onClose={onClose} onConfirm={setStatus} />
          <ConfirmDeletion
            record={token}
            read={() => readToken(owner, token.id)}
            isOpen={deed === 'delete'}
            onClose={onClose}
            title={labels.deleteQuestion(token.name)}
            label={labels.deleteToken}
            onConfirm={(headers) => remove(token, headers)}
          >
            <p>{labels.programsThatUseThisToken}</p>
            <LastUse token={token} />
          </ConfirmDeletion>
        </>
      )}
      {rolled !== undefined && (
        <OnceDialog
          title={labels.newValueOf(rolled.name)}
          isWide
          question={LEAVE_WITHOUT_TOKEN}
          onClose={() => setRolled(undefined)}
        >
          {(keep) => <NewValue value={rolled.value} onCopied={keep} />}
        </OnceDialog>
      )}
    </>
  );
}

interface QuestionProps {
  token: ApiToken;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

function RollQuestion({ token, ...rest }: QuestionProps) {
  return (
    <Confirm {...rest} title={labels.rollQuestion(token.name)} label={labels.rollToken}>
      <p>{labels.theTokenGetsANew}</p>
      <LastUse token={token} />
    </Confirm>
  );
}

interface SwitchProps {
  token: ApiToken;
  deed: Deed | undefined;
  onClose: () => void;
  onConfirm: (token: ApiToken, status: 'active' | 'disabled') => Promise<unknown>;
}

function SwitchQuestion({ token, deed, onClose, onConfirm }: SwitchProps) {
  return (
    <>
      <Confirm
        isOpen={deed === 'disable'}
        onClose={onClose}
        title={labels.disableQuestion(token.name)}
        label={labels.disableToken}
        onConfirm={() => onConfirm(token, 'disabled')}
      >
        <p>{labels.programsThatUseThisTokenAre}</p>
        <LastUse token={token} />
      </Confirm>
      <Confirm
        isOpen={deed === 'enable'}
        onClose={onClose}
        title={labels.enableQuestion(token.name)}
        label={labels.enableToken}
        isDangerous={false}
        onConfirm={() => onConfirm(token, 'active')}
      >
        <p>{labels.theTokensValueWorksAgain}</p>
      </Confirm>
    </>
  );
}

function LastUse({ token }: { token: ApiToken }) {
  const { last_used_on: lastUsed } = token;
  return (
    <p className="text-muted">
      {lastUsed === undefined
        ? labels.theTokenWasNeverUsed
        : labels.lastUsedOn(formatTime(lastUsed))}
    </p>
  );
}
