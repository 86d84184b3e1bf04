import { useState } from 'react';
import { formatCount } from '../../../lib/figures.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import { LongText } from './long-text.tsx';

const FIRST_LETTERS = 20_000;
const MORE_LETTERS = 200_000;

/** A text exactly as it was kept; of what is long only the beginning at first. */
export function RawView({ text, label }: { text: string; label: string }) {
  const [most, setMost] = useState(FIRST_LETTERS);
  const left = text.length - most;
  return (
    <div className="space-y-2">
      <LongText label={label}>{text.slice(0, most)}</LongText>
      {left > 0 && (
        <Button isSmall onClick={() => setMost(most + MORE_LETTERS)}>
          {labels.showMoreOfCharacters(formatCount(left))}
        </Button>
      )}
    </div>
  );
}
