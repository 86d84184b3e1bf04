import { useMemo, useState } from 'react';
import { formatCount } from '../../../lib/figures.ts';
import {
  type JsonLine,
  type JsonToken,
  type TokenKind,
  layOutJson,
} from '../../../lib/json-lines.ts';
import { Button } from '../../../ui/button.tsx';
import { labels } from '../labels.ts';
import { LongText } from './long-text.tsx';

const COLOURS: Readonly<Record<TokenKind, string>> = {
  name: 'text-info',
  text: 'text-accent',
  number: 'text-warning',
  word: 'text-danger',
  sign: 'text-muted',
};

const FIRST_LINES = 200;
const MORE_LINES = 800;
/** So many are on the page at most: whoever wants more downloads it. */
const MOST_LINES = 5_000;

interface JsonViewProps {
  text: string;
  /** What it is, for screen readers. */
  label: string;
  /** How many lines are shown at first. */
  firstLines?: number;
}

/** JSON laid out for people, in colours; of what is long only the beginning at first. */
export function JsonView({ text, label, firstLines = FIRST_LINES }: JsonViewProps) {
  const [most, setMost] = useState(firstLines);
  const { lines, isAll } = useMemo(() => layOutJson(text, most), [text, most]);
  return (
    <div className="space-y-2">
      <LongText label={label}>
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </LongText>
      {!isAll && (
        <More most={most} onMore={() => setMost(Math.min(most + MORE_LINES, MOST_LINES))} />
      )}
    </div>
  );
}

function More({ most, onMore }: { most: number; onMore: () => void }) {
  return most >= MOST_LINES ? (
    <p className="text-sm text-muted">{labels.theFirstLinesDownload(formatCount(MOST_LINES))}</p>
  ) : (
    <Button isSmall onClick={onMore}>
      {labels.showMoreLines}
    </Button>
  );
}

function Line({ line: { depth, tokens } }: { line: JsonLine }) {
  return (
    <span className="block">
      {'  '.repeat(depth)}
      {tokens.map((token, index) => (
        <Token key={index} token={token} />
      ))}
    </span>
  );
}

// Images come as texts of a million letters that nobody reads.
const MOST_LETTERS = 2_000;

function Token({ token: { kind, text } }: { token: JsonToken }) {
  if (text.length <= MOST_LETTERS) return <bdi className={COLOURS[kind]}>{text}</bdi>;
  const left = text.length - MOST_LETTERS;
  return (
    <>
      <bdi className={COLOURS[kind]}>{text.slice(0, MOST_LETTERS)}</bdi>
      <span className="text-muted italic"> … {formatCount(left)} more characters</span>
    </>
  );
}
