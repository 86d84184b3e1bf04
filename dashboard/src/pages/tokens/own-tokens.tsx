import { useParams } from '@tanstack/react-router';
import { CreateToken } from './create-token.tsx';
import { EditToken } from './edit-token.tsx';
import { TokenHomeContext, useOwnHome } from './token-home.tsx';
import { TokenList } from './token-list.tsx';

/** The tokens of the person who is signed in. */
export function OwnTokens() {
  return (
    <TokenHomeContext value={useOwnHome()}>
      <TokenList />
    </TokenHomeContext>
  );
}

/** A new token of the person. */
export function NewOwnToken() {
  return (
    <TokenHomeContext value={useOwnHome()}>
      <CreateToken />
    </TokenHomeContext>
  );
}

/** One token of the person. */
export function EditOwnToken() {
  const { tokenId } = useParams({ from: '/profile/tokens/$tokenId' });
  return (
    <TokenHomeContext value={useOwnHome()}>
      <EditToken key={tokenId} tokenId={tokenId} />
    </TokenHomeContext>
  );
}
