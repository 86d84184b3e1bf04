import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';

/** Forgets what was filled in, once that is confirmed. */
export function StartOver({ onConfirm }: { onConfirm: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button look="quiet" className="sm:mr-auto" onClick={() => setIsAsking(true)}>
        Start over
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Start over?"
        label="Start over"
        onConfirm={() => Promise.resolve(onConfirm())}
      >
        What you have filled in so far is forgotten.
      </Confirm>
    </>
  );
}
