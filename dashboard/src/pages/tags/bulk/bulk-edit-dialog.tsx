import { useState } from 'react';
import { randomKey } from '../../../lib/random-key.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { UnsavedGuard } from '../../../ui/form.tsx';
import { labels } from '../labels.ts';
import { type BulkDraft, editOf, newBulkRow } from './bulk-draft.ts';
import { BulkForm } from './bulk-form.tsx';
import type { BulkSelection } from './bulk-parts.ts';
import { BulkPreview } from './bulk-preview.tsx';
import { BulkResult } from './bulk-result.tsx';
import { resourcesWords } from './bulk-words.ts';
import { useBulkRun } from './use-bulk-run.ts';

export type { BulkSelection } from './bulk-parts.ts';

interface BulkEditDialogProps {
  accountId: string;
  selection: BulkSelection;
  /** Told when the person gives up before anything was changed. */
  onClose: () => void;
  /** Told when the person is done with what was changed. */
  onDone: () => void;
}

/** Changes the tags of many resources: what to do, what that comes to, and what came of it. */
export function BulkEditDialog({ accountId, selection, onClose, onDone }: BulkEditDialogProps) {
  const [draft, setDraft] = useState<BulkDraft>(() => ({ mode: 'merge', rows: [newBulkRow()] }));
  // After a result, those that failed can be tried again by themselves.
  const [chosen, setChosen] = useState(selection);
  const trial = useBulkRun();
  const work = useBulkRun();
  const isWorking = work.run?.status === 'running' || work.run?.status === 'stopping';
  const isWritten = draft.rows.some(({ key, value }) => key !== '' || value !== '');
  const preview = (next: BulkSelection): void => {
    setChosen(next);
    work.clear();
    trial.start({ accountId, selection: next, edit: editOf(draft), isDry: true, key: '' });
  };
  const wasChanged = work.run !== undefined;
  return (
    <Dialog
      isOpen
      isWide
      // What was written, or is being done, does not go with a click beside it.
      isHeld={isWritten || wasChanged}
      onClose={onClose}
      title={labels.editTagsOf(resourcesWords(chosen))}
    >
      <UnsavedGuard isUnsaved={isWorking || (isWritten && !wasChanged)} isSaving={false} />
      {work.run !== undefined ? (
        <BulkResult
          run={work.run}
          total={trial.run}
          onStop={work.stop}
          onResume={work.resume}
          onRetry={preview}
          onDone={onDone}
        />
      ) : trial.run !== undefined ? (
        <BulkPreview
          run={trial.run}
          onStop={trial.stop}
          onResume={trial.resume}
          onBack={trial.clear}
          onClose={onClose}
          onApply={({ job }) => work.start({ ...job, isDry: false, key: randomKey() })}
        />
      ) : (
        <BulkForm
          accountId={accountId}
          selection={chosen}
          draft={draft}
          onDraft={setDraft}
          onClose={onClose}
          onPreview={() => preview(chosen)}
        />
      )}
    </Dialog>
  );
}
