import { CodeBlock, SecretOnce } from '../../ui/copy.tsx';
import { verifyCommand } from './requests.ts';
import { useTokenHome } from './token-home.tsx';

interface NewValueProps {
  value: string;
  onCopied: () => void;
}

/** The value of a token, this once, and how to try it. */
export function NewValue({ value, onCopied }: NewValueProps) {
  const { owner } = useTokenHome();
  return (
    <div className="space-y-4">
      <SecretOnce name="Token" value={value} onCopied={onCopied}>
        Copy it now to where it will be used, such as a secret store. Only a fingerprint of it is
        kept here, so nobody can read it again.
      </SecretOnce>
      <div>
        <h2 className="mb-1.5 text-[0.9375rem] font-medium">Try it</h2>
        <CodeBlock label="command" text={verifyCommand(owner, value)} />
      </div>
    </div>
  );
}

/** What somebody is asked who has not copied the value. */
export const LEAVE_WITHOUT_TOKEN = {
  title: 'Leave without the token?',
  lead: 'You have not copied its value, and it cannot be shown again. You can give the token a new value later.',
};
