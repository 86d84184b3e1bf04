import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { SchemaCheck } from '../../src/http/schema-check.ts';

/** A regular expression of the server, and one place that uses it. */
export interface Expression {
  source: string;
  flags: string;
  /** Path with line below the root of the project, or a path within the OpenAPI document. */
  place: string;
}

const ROOT = path.join(import.meta.dirname, '../..');
const SOURCE = path.join(ROOT, 'src');

/** Modules that run as threads and start work when they are imported. */
const ENTRY_POINTS: ReadonlySet<string> = new Set([
  'request-log/threads/log-worker.ts',
  'storage/checkpoint-thread.ts',
]);

// It compiles the patterns of schemas, which are found in the schemas.
const SCHEMA_COMPILER = 'http/schema-compiler.ts';

/**
 * Finds every regular expression that the server can evaluate: literals, `new RegExp(…)` at the top
 * level of a module, and the patterns of the schemas that check requests and stored values.
 * @throws Error when an expression is created inside a function, where this search cannot see its source
 */
export async function findExpressions(): Promise<Expression[]> {
  const found: Expression[] = [];
  const constructed = new Map<string, Expression>();
  const schemas = recordSchemas();
  const stopRecording = recordConstructions((expression) => {
    constructed.set(expression.place, expression);
  });
  const modules = (await readdir(SOURCE, { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  for (const name of modules.toSorted()) {
    if (!ENTRY_POINTS.has(name)) await import(pathToFileURL(path.join(SOURCE, name)).href);
  }
  stopRecording();
  for (const name of modules.toSorted()) {
    if (name === SCHEMA_COMPILER) continue;
    const place = path.posix.join('src', name);
    for (const site of await readModule(name)) {
      const at = `${place}:${site.line}`;
      if ('source' in site) found.push({ ...site, place: at });
      else if (constructed.has(at)) found.push(constructed.get(at) as Expression);
      else throw new Error(`${at}: create the expression at the top level of the module`);
    }
  }
  const document: unknown = JSON.parse(
    await readFile(path.join(ROOT, 'docs/openapi.json'), 'utf8'),
  );
  for (const { pattern, place } of patternsOf([document, ...schemas], 'schema')) {
    found.push({ source: pattern, flags: 'u', place });
  }
  return found;
}

/** Collects the schemas that modules declare apart from routes. */
function recordSchemas(): unknown[] {
  const schemas: unknown[] = [];
  const declare = SchemaCheck.of.bind(SchemaCheck);
  SchemaCheck.of = (schema) => {
    schemas.push(schema);
    return declare(schema);
  };
  return schemas;
}

function recordConstructions(record: (expression: Expression) => void): () => void {
  const Original = RegExp;
  const note = (made: RegExp): RegExp => {
    const line = new Error('where').stack?.split('\n').find((text) => text.includes('/src/'));
    const [, file, number] = /\/(src\/[^\s:]+\.ts):(\d+)/.exec(line ?? '') ?? [];
    const place = `${file}:${number}`;
    if (file !== undefined) record({ source: made.source, flags: made.flags, place });
    return made;
  };
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, args) => note(Reflect.construct(target, args) as RegExp),
  });
  return () => {
    globalThis.RegExp = Original;
  };
}

interface Literal {
  source: string;
  flags: string;
  line: number;
}

/** A node of the syntax tree (ESTree), as far as it is read here. */
interface Node {
  type?: string;
  start: number;
  regex?: { pattern: string; flags: string } | null;
  callee?: { name?: string };
}

/** The literals of a module, and the lines of what constructs an expression. */
async function readModule(name: string): Promise<(Literal | { line: number })[]> {
  const code = await readFile(path.join(SOURCE, name), 'utf8');
  const lineAt = (offset: number): number => code.slice(0, offset).split('\n').length;
  const sites: (Literal | { line: number })[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex, callee, start } = node as Node;
    if (type === 'Literal' && regex) {
      const { pattern, flags } = regex;
      sites.push({ source: pattern, flags, line: lineAt(start) });
      return;
    }
    const isCall = type === 'NewExpression' || type === 'CallExpression';
    if (isCall && callee?.name === 'RegExp') sites.push({ line: lineAt(start) });
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return sites;
}

/** Every pattern below a value that contains JSON schemas. */
function* patternsOf(value: unknown, place: string): Generator<{ pattern: string; place: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const below = `${place}/${name}`;
    if (name === 'pattern' && typeof member === 'string') yield { pattern: member, place: below };
    if (name === 'patternProperties' && typeof member === 'object' && member !== null) {
      for (const pattern of Object.keys(member)) yield { pattern, place: below };
    }
    yield* patternsOf(member, below);
  }
}
