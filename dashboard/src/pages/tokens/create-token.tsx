import { useEffect, useRef, useState } from 'react';
import { type CreatedToken, createToken, refreshTokens } from '../../api/tokens.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { OnceGuard } from '../../ui/shown-once.tsx';
import { labels } from './labels.ts';
import { LEAVE_WITHOUT_TOKEN, NewValue } from './new-value.tsx';
import { type TokenDraft, bodyOfDraft, emptyDraft } from './token-draft.ts';
import { TokenForm } from './token-form.tsx';
import { useTokenHome } from './token-home.tsx';
import { ReadOnlyTokens } from './token-rights.tsx';
import { TokenSummary } from './token-summary.tsx';
import { namedPolicies } from './token-words.ts';
import { defaultExpiry } from './validity-fields.tsx';
import { serverNow } from '../../lib/server-time.ts';

/** Makes a token, then shows its value this once. */
export function CreateToken() {
  const home = useTokenHome();
  const [created, setCreated] = useState<CreatedToken>();
  const [draft] = useState(() => emptyDraft(defaultExpiry(serverNow())));
  const back = { ...home.list, label: labels.apiTokens };
  if (created !== undefined) {
    return <Created token={created} onAnother={() => setCreated(undefined)} />;
  }
  const save = async (filled: TokenDraft, key: string): Promise<void> => {
    setCreated(await createToken(home.owner, bodyOfDraft(filled, home), key));
    void refreshTokens(home.owner);
  };
  return (
    <Page
      title={home.owner.kind === 'user' ? labels.createAPersonalApiToken : labels.createAnApiToken}
      lead={home.owner.kind === 'user' ? labels.theTokenActsAsYou : labels.theTokenBelongs}
      back={back}
    >
      {home.mayWrite ? (
        <TokenForm draft={draft} save={save} saveLabel={labels.createToken} />
      ) : (
        <ReadOnlyTokens />
      )}
    </Page>
  );
}

function Created({ token, onAnother }: { token: CreatedToken; onAnother: () => void }) {
  const home = useTokenHome();
  const [isCopied, setIsCopied] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone.
  useEffect(() => {
    region.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <Page
      title={labels.created(token.name)}
      back={{ ...home.list, label: labels.apiTokens }}
      isNarrow
    >
      <OnceGuard isKept={isCopied} question={LEAVE_WITHOUT_TOKEN} />
      <div
        ref={region}
        tabIndex={-1}
        aria-label={labels.newToken}
        role="region"
        className="space-y-6 outline-none"
      >
        <NewValue value={token.value} onCopied={() => setIsCopied(true)} />
        <Card title={labels.permissions}>
          <TokenSummary policies={namedPolicies(token)} limits={token} />
        </Card>
        <div className="flex flex-wrap justify-end gap-2">
          {isCopied && <Button onClick={onAnother}>{labels.createAnother}</Button>}
          <LinkButton {...home.list} look="primary">
            {labels.done}
          </LinkButton>
        </div>
      </div>
    </Page>
  );
}
