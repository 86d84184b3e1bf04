import { Check, Copy, Download } from '../../ui/icons.tsx';
import { download } from '../../lib/download.ts';
import { brand, brandName } from '../../lib/site.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copy.tsx';
import { Actions } from '../../ui/dialog.tsx';
import { OnceGuard } from '../../ui/shown-once.tsx';
import { labels } from './labels.ts';

const LEAVE_WITHOUT_CODES = {
  title: labels.closeWithoutSavingTheRecovery,
  lead: labels.theCodesCantBeShown,
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
      <Callout tone="warning" title={labels.shownOnlyOnce}>
        {labels.eachCodeReplacesYourSecond}
      </Callout>
      <ul
        aria-label={labels.recoveryCodes}
        className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm whitespace-nowrap select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button isSmall icon={<Icon aria-hidden className="size-4" />} onClick={copy}>
          {isCopied ? labels.copied : labels.copy}
        </Button>
        <Button
          isSmall
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download(`${brand}-recovery-codes.txt`, 'text/plain', fileOf(codes))}
        >
          {labels.downloadAsATextFile}
        </Button>
        <span role="status" className="sr-only">
          {isCopied ? labels.copied : ''}
        </span>
      </div>
      <Actions>
        <Button look="primary" onClick={onSaved}>
          {labels.iHaveSavedTheCodes}
        </Button>
      </Actions>
    </div>
  );
}

/** The codes with what they are for. */
function fileOf(codes: readonly string[]): string {
  return labels.recoveryCodesFile(brandName, location.host, codes.join('\n'));
}
