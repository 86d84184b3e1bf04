import { Check, Copy, Download } from 'lucide-react';
import { download } from '../../lib/download.ts';
import { brand, brandName } from '../../lib/site.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { OnceGuard } from '../../ui/shown-once.tsx';

const LEAVE_WITHOUT_CODES = {
  title: 'Leave without the recovery codes?',
  lead: 'They cannot be shown again. You can make new ones as long as you can sign in.',
};

/** Codes that will never be shown again; the dialog around them is held until they are saved. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  codes: readonly string[];
  onSaved: () => void;
}) {
  const [isCopied, copy] = useCopy(codes.join('\n'));
  const Icon = isCopied ? Check : Copy;
  return (
    <div className="space-y-4">
      <OnceGuard isKept={false} question={LEAVE_WITHOUT_CODES} />
      <Callout tone="warning" title="Shown this once">
        Each code replaces your second factor once, when your device is lost. Keep them where you
        can reach them without it: in a password manager, or on paper.
      </Callout>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-nowrap select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button isSmall icon={<Icon aria-hidden className="size-4" />} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button
          isSmall
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download(`${brand}-recovery-codes.txt`, 'text/plain', fileOf(codes))}
        >
          Download as a text file
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? 'Copied' : ''}
        </span>
      </div>
      <Actions>
        <Button look="primary" onClick={onSaved}>
          I have saved the codes
        </Button>
      </Actions>
    </div>
  );
}

/** The codes with what they are for. */
function fileOf(codes: readonly string[]): string {
  return `Recovery codes of ${brandName} at ${location.host}\nEach works once.\n\n${codes.join('\n')}\n`;
}
