import { useParams } from '@tanstack/react-router';
import { CreateToken } from './create-token.tsx';
import { EditToken } from './edit-token.tsx';
import { TokenHomeContext, useAccountHome } from './token-home.tsx';
import { TokenList } from './token-list.tsx';

/** The tokens of an account. */
export function AccountTokens() {
  return (
    <TokenHomeContext value={useAccountHome()}>
      <TokenList />
    </TokenHomeContext>
  );
}

/** A new token of an account. */
export function NewAccountToken() {
  return (
    <TokenHomeContext value={useAccountHome()}>
      <CreateToken />
    </TokenHomeContext>
  );
}

/** One token of an account. */
export function EditAccountToken() {
  const { tokenId } = useParams({ from: '/accounts/$accountId/tokens/$tokenId' });
  return (
    <TokenHomeContext value={useAccountHome()}>
      <EditToken key={tokenId} tokenId={tokenId} />
    </TokenHomeContext>
  );
}
