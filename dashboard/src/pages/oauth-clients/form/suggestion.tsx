import type { UriFault } from '../../../lib/web-uri.ts';
import { labels } from './labels.ts';

interface SuggestionProps {
  fault: UriFault | undefined;
  onAccept: (text: string) => void;
}

/** What was probably meant, to be taken over with one press; nothing when nobody can know. */
export function Suggestion({ fault, onAccept }: SuggestionProps) {
  const suggestion = fault?.suggestion;
  if (suggestion === undefined) return null;
  return (
    <button
      type="button"
      onClick={() => onAccept(suggestion)}
      className="min-h-6 rounded text-left font-medium text-accent underline underline-offset-2 wrap-anywhere"
    >
      {labels.text(suggestion)}
    </button>
  );
}
