/** What a comparison has found: figures for the goals, and tables for people. */
export interface Outcome {
  /** By names that goals.ts knows. */
  measured: Readonly<Record<string, Measured>>;
  tables: readonly Table[];
}

/** One figure, in the unit of its goal. */
export interface Measured {
  value: number;
  /** What it is of, where there are many and this is the worst. */
  of?: string;
  /** Where there are any, the value means nothing. */
  failures?: number;
}

export interface Table {
  title: string;
  /** Markdown. */
  text: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Several outcomes as one. */
export function joinOutcomes(...outcomes: readonly Outcome[]): Outcome {
  return {
    measured: Object.assign({}, ...outcomes.map(({ measured }) => measured)) as Outcome['measured'],
    tables: outcomes.flatMap(({ tables }) => tables),
  };
}

/** The one with the greatest value. */
export function worstOf(all: readonly Measured[]): Measured {
  const [first] = all.toSorted((one, other) => other.value - one.value);
  if (first === undefined) throw new Error('nothing was measured');
  return first;
}

/** In Markdown, below a heading of the third level. */
export function toMarkdown({ title, text, head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `### ${title}`,
    '',
    text,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
}
