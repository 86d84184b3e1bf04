import { useEffect, useState } from 'react';

const PAUSE_MS = 200;

/** A value as it is once nobody has changed it for a moment: for what is asked while somebody types. */
export function useSettled<Value>(value: Value, pauseMs = PAUSE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
