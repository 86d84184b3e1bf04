import { useEffect, useEffectEvent, useState } from 'react';

/** Long enough to go on typing. */
const PAUSE_MS = 300;

/**
 * A text that is typed, and a place such as the address that follows it a moment later. What the place says
 * comes back only when it was changed elsewhere, as by the way back: what was typed meanwhile stays.
 * @param stored what the place says now
 * @param follow takes the text there
 */
export function useFollowedText(
  stored: string,
  follow: (text: string) => void,
): [typed: string, setTyped: (text: string) => void] {
  const [typed, setTyped] = useState(stored);
  const [seen, setSeen] = useState(stored);
  // On its way there.
  const [sent, setSent] = useState<string>();
  if (seen !== stored) {
    setSeen(stored);
    setSent(undefined);
    if (stored !== sent) setTyped(stored);
  }
  const wanted = typed.trim();
  const go = useEffectEvent((text: string) => {
    setSent(text);
    follow(text);
  });
  useEffect(() => {
    if (wanted === stored) return undefined;
    const timer = setTimeout(() => go(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, stored]);
  return [typed, setTyped];
}
