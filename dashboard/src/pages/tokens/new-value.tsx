import { CodeBlock, SecretOnce } from '../../ui/copy.tsx';
import { labels } from './labels.ts';
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
      <SecretOnce name={labels.token} value={value} onCopied={onCopied}>
        {labels.copyTheTokenNow}
      </SecretOnce>
      <div>
        <h2 className="mb-1.5 text-[0.9375rem] font-medium">{labels.tryTheToken}</h2>
        <CodeBlock label="command" text={verifyCommand(owner, value)} />
      </div>
    </div>
  );
}

/** What somebody is asked who has not copied the value. */
export const LEAVE_WITHOUT_TOKEN = {
  title: labels.closeWithoutCopyingTheToken,
  lead: labels.youHaveNotCopied,
};
