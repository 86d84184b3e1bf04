import { useEffect, useState } from 'react';
import { serverNow } from '../lib/server-time.ts';

const EVERY_MS = 30_000;

/** The time, which goes on by itself. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNow()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
