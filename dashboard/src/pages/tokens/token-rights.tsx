import { KeyRound } from '../../ui/icons.tsx';
import { useAccountOfPage } from '../../api/accounts.ts';
import { ReadOnly, Unseen } from '../role-needed.tsx';
import { labels } from './labels.ts';

/** For who sees the tokens of an account and may not change them. */
export function ReadOnlyTokens() {
  return (
    <ReadOnly
      access={useAccountOfPage()}
      permission="api-tokens.write"
      deed={labels.readOnlyAction}
    />
  );
}

/** For who may not even see them. */
export function UnseenTokens() {
  return (
    <Unseen
      access={useAccountOfPage()}
      permission="api-tokens.read"
      icon={<KeyRound />}
      what={labels.hiddenSubject}
    />
  );
}
