import { readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';

/**
 * As much of curl as the commands need that people are shown; anything else is refused. Those who run the
 * tests need not have the real one.
 */
const STDIN = 0;
const STDOUT = 1;
const NO_CONNECTION = 7;

/** What curl takes for a pattern of many addresses. */
const GLOB = /[[\]{}]/;
/** What curl takes for the name of a file. */
const FILE_NAME = /^@/;
const NAMED_FILE = /^[^=]*@/;
const LEFT_BY_JAVASCRIPT = /[!'()*]/g;

const { values, tokens, positionals } = parseArgs({
  allowPositionals: true,
  tokens: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    // What comes is written at once in any case.
    'no-buffer': { type: 'boolean', short: 'N' },
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd', multiple: true },
    'data-raw': { type: 'string', multiple: true },
    'data-binary': { type: 'string', multiple: true },
    'data-urlencode': { type: 'string', multiple: true },
    get: { type: 'boolean', short: 'G' },
    user: { type: 'string', short: 'u' },
  },
});

/** The fields of the body or of the query, in the order in which they were given. */
function fieldsOf(): string[] {
  return tokens.flatMap((token) => {
    if (token.kind !== 'option' || token.value === undefined) return [];
    if (token.name === 'data') return [refuse(token.value, FILE_NAME)];
    if (token.name === 'data-raw') return [token.value];
    if (token.name === 'data-binary') return [fromStdin(token.value)];
    if (token.name === 'data-urlencode') return [encodeField(refuse(token.value, NAMED_FILE))];
    return [];
  });
}

function fromStdin(text: string): string {
  if (text !== '@-') throw new Error(`not supported: ${text}`);
  return readFileSync(STDIN, 'utf8');
}

/** `name=text`, of which only the text is encoded, or a text alone. */
function encodeField(field: string): string {
  const split = field.indexOf('=') + 1;
  const text = encodeURIComponent(field.slice(split))
    .replaceAll(LEFT_BY_JAVASCRIPT, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
  const name = field.slice(0, split);
  return name === '=' ? text : name + text;
}

/** @throws Error when the text is one of those that mean something else to the real curl */
function refuse(text: string, refused: RegExp): string {
  if (refused.test(text)) throw new Error(`not supported: ${text}`);
  return text;
}

function headersOf(hasBody: boolean): Headers {
  const headers = new Headers({ accept: '*/*', 'user-agent': 'curl/8.9.1' });
  if (hasBody) headers.set('content-type', 'application/x-www-form-urlencoded');
  if (values.user !== undefined) {
    headers.set('authorization', `Basic ${Buffer.from(values.user).toString('base64')}`);
  }
  for (const header of values.header) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.+)$/.exec(header) ?? [];
    headers.set(name, value);
  }
  return headers;
}

async function run(): Promise<void> {
  const [address = '', ...others] = positionals;
  if (others.length > 0) throw new Error(`not supported: ${others.join(' ')}`);
  const url = new URL(refuse(address, GLOB));
  const fields = fieldsOf().join('&');
  const hasBody = fields !== '' && values.get !== true;
  if (fields !== '' && !hasBody) url.search += `${url.search === '' ? '?' : '&'}${fields}`;
  const response = await fetch(url, {
    method: values.request ?? (hasBody ? 'POST' : 'GET'),
    headers: headersOf(hasBody),
    body: hasBody ? fields : null,
    redirect: 'manual',
  }).catch((error: unknown) => {
    process.exitCode = NO_CONNECTION;
    if (values.silent !== true || values['show-error'] === true) console.error(error);
  });
  if (response !== undefined) writeSync(STDOUT, await response.bytes());
}

await run();
