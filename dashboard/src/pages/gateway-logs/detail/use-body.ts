import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type BodySide,
  type LogDetails,
  type WhichLog,
  logBodyQuery,
} from '../../../api/gateway-log.ts';
import { parseJson } from '../../../lib/json-value.ts';

/** What is larger is loaded when somebody asks for it. */
const LOADED_AT_ONCE_BYTES = 1_000_000;

/** A body of a log, as far as it is here. */
export interface Body {
  side: BodySide;
  /** `none`: not kept at all; `size`: only how large it was; `empty`: there was none. */
  kind: 'none' | 'size' | 'empty' | 'text';
  text: string;
  /** What the JSON in it stands for; undefined when it is none, or not all of it is here. */
  value: unknown;
  /** Of the body as it went by. */
  size: number | undefined;
  contentType: string | undefined;
  headers: Readonly<Record<string, unknown>> | null;
  /** All that is kept is here. */
  isLoaded: boolean;
  isLoading: boolean;
  error: unknown;
  load: () => void;
}

/** Reads a body: at once when it is not too large. */
export function useBody(which: WhichLog, log: LogDetails, side: BodySide): Body {
  const head = log[`${side}_head`];
  const size = log[`${side}_size`];
  const isComplete = log[`${side}_head_complete`] === true;
  const kind = kindOf(head, size);
  const [isWanted, setIsWanted] = useState((size ?? 0) <= LOADED_AT_ONCE_BYTES);
  const isNeeded = kind === 'text' && !isComplete;
  const whole = useQuery({ ...logBodyQuery(which, side), enabled: isNeeded && isWanted });
  const text = whole.data ?? head ?? '';
  const isLoaded = !isNeeded || whole.data !== undefined;
  const value = useMemo(() => (isLoaded ? parseJson(text) : undefined), [isLoaded, text]);
  return {
    side,
    kind,
    text,
    value,
    size,
    contentType: log[`${side}_content_type`],
    headers: log[`${side}_headers`],
    isLoaded,
    isLoading: whole.isLoading,
    error: whole.error,
    load: () => {
      setIsWanted(true);
      if (whole.isError) void whole.refetch();
    },
  };
}

function kindOf(head: string | undefined, size: number | undefined): Body['kind'] {
  if (head === undefined) return 'none';
  if (head !== '') return 'text';
  return (size ?? 0) > 0 ? 'size' : 'empty';
}
