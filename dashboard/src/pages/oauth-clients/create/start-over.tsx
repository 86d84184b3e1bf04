import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { labels } from './labels.ts';

/** Forgets what was filled in, once that is confirmed. */
export function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button look="quiet" className="sm:mr-auto" onClick={() => setIsAsking(true)}>
        {labels.startOver}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={labels.startOverQuestion}
        label={labels.startOver}
        onConfirm={() => Promise.resolve(onConfirm())}
      >
        {labels.thisDiscardsAllYourInput}
      </Confirm>
    </>
  );
}
