import { Trash2 } from '../../../ui/icons.tsx';
import { useState } from 'react';
import { useAccountOfPage } from '../../../api/accounts.ts';
import { type WhichLog, deleteLog } from '../../../api/gateway-log.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.tsx';
import { labels } from '../labels.ts';

interface DeleteLogProps {
  which: WhichLog;
  onDeleted: () => void;
}

/** Deletes the log that is looked at. */
export function DeleteLog({ which, onDeleted }: DeleteLogProps) {
  const [isAsking, setIsAsking] = useState(false);
  if (!useAccountOfPage().can('ai-gateway.write')) return null;
  const remove = async (): Promise<void> => {
    await deleteLog(which);
    toast(labels.deletedTheLog);
    onDeleted();
  };
  return (
    <>
      <Button
        look="danger-plain"
        isSmall
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={() => setIsAsking(true)}
      >
        {labels.deleteThisLog}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={labels.deleteThisLogQuestion}
        label={labels.deleteLog}
        onConfirm={remove}
      >
        <p>{labels.deletesTheLogPermanentlyIncluding}</p>
      </Confirm>
    </>
  );
}
