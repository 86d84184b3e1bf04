import { parseAst } from 'rolldown/parseAst';
import { retiredWords } from './retired-words.ts';

/** A use of a retired word. */
export interface RetiredUse {
  /** Path and line. */
  place: string;
  word: string;
  instead: string;
}

interface Text {
  value: string;
  offset: number;
}

// Single words are texts only if they are capitalized; others are names.
const TEXT = /\p{L}\s+\p{L}|^\p{Lu}\p{Ll}/u;
const CODE = /^```[^]*?^```|`[^`\n]*`|<!--[^]*?-->|\]\([^)\s]*\)/gm;

/**
 * Finds retired words in the prose of a Markdown file, or in the strings and JSX texts of a script. Code,
 * comments, link targets and strings of one lower-case word are ignored.
 * @param file path whose extension selects the parser: md, ts, tsx or js
 * @throws SyntaxError when a script cannot be parsed
 */
export function findRetiredWords(file: string, source: string): RetiredUse[] {
  const texts = file.endsWith('.md') ? [proseOf(source)] : textsOf(file, source);
  return texts.flatMap(({ value, offset }) =>
    retiredWords.flatMap(({ pattern, instead }) =>
      [...value.matchAll(new RegExp(pattern, 'gi'))].map((match) => ({
        place: `${file}:${lineAt(source, offset + match.index)}`,
        word: match[0],
        instead,
      })),
    ),
  );
}

/** Replaces code by spaces, so that offsets remain valid. */
function proseOf(markdown: string): Text {
  return { value: markdown.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' ')), offset: 0 };
}

function textsOf(file: string, source: string): Text[] {
  const texts: Text[] = [];
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    const value = textOf(node);
    if (value !== undefined && TEXT.test(value)) texts.push({ value, offset: node.start });
  });
  return texts;
}

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

function textOf(node: Node): string | undefined {
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw;
  const isText = node.type === 'Literal' || node.type === 'JSXText';
  return isText && typeof node.value === 'string' ? node.value : undefined;
}

function visit(value: unknown, read: (node: Node) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, read);
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value && 'start' in value) read(value as Node);
    for (const item of Object.values(value)) visit(item, read);
  }
}

const lineAt = (source: string, offset: number): number =>
  source.slice(0, offset).split('\n').length;
