import { KeyRound } from 'lucide-react';
import { useAccountOfPage } from '../../api/accounts.ts';
import { ReadOnly, Unseen } from '../role-needed.tsx';

/** For who sees the tokens of an account and may not change them. */
export function ReadOnlyTokens() {
  return (
    <ReadOnly
      access={useAccountOfPage()}
      permission="api-tokens.write"
      deed="create or change API tokens"
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
      what="the API tokens of this account"
    />
  );
}
