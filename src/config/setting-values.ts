import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { trimEnd } from '../lib/trim-end.ts';
import { PREFIX } from './setting.ts';
import { SettingError } from './setting-parsers.ts';

/** The text of a setting, and the name of its source for error messages. */
export interface SettingValue {
  text: string;
  source: string;
}

/** The names of settings. `isSecret` implies `isKnown`. */
export interface SettingNames {
  isKnown(name: string): boolean;
  isSecret(name: string): boolean;
}

const FILE_SUFFIX = '_FILE';
const MAX_FILE_BYTES = 64 * 1024;

/**
 * Collects the texts of all settings and normalizes them before any parser sees them. Environment
 * variables take precedence over the config file. An empty value counts as not set.
 * @param file parsed content of the config file
 * @param warn receives one line for each unknown environment variable with the prefix
 * @throws SettingError with one line that names the setting
 */
export function collectValues(
  environment: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, unknown>>,
  names: SettingNames,
  warn: (message: string) => void,
): Map<string, SettingValue> {
  const given = new Map<string, string>();
  const isAccepted = (name: string): boolean => names.isKnown(name) || isFileOf(names, name);
  for (const [name, value] of Object.entries(file)) {
    if (!name.startsWith(PREFIX) || !isAccepted(name)) {
      throw new SettingError(
        `${name} in the config file is not a setting; see latchkey serve --help`,
      );
    }
    given.set(name, textOf(name, value));
  }
  for (const [name, value] of Object.entries(environment)) {
    // Container tools pass an empty variable for "not set".
    if (!name.startsWith(PREFIX) || value === undefined || value === '') continue;
    if (isServiceLink(name, value, names)) continue;
    if (isAccepted(name)) given.set(name, value);
    else warn(`${name} is not a setting of latchkey and is ignored; see latchkey serve --help`);
  }
  const values = new Map<string, SettingValue>();
  for (const [name, text] of given) {
    const isValue = names.isKnown(name);
    const value = isValue
      ? { text: normalize(name, text), source: name }
      : valueFromFile(names, name, text, given);
    if (value.text !== '') values.set(isValue ? name : settingOf(name), value);
  }
  return values;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.join(',');
  }
  throw new SettingError(
    `${name} in the config file must be a string, a number or a list of strings`,
  );
}

const LINK_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(['TCP', 'UDP', 'SCTP']);

/**
 * Kubernetes writes such variables for each Service and Docker for each link. A Service or container with
 * the name `latchkey` makes them look like settings.
 */
function isServiceLink(name: string, value: string, names: SettingNames): boolean {
  if (name.endsWith('_PORT') && LINK_ADDRESS.test(value)) return true;
  if (names.isKnown(name)) return false;
  const words = name.slice(PREFIX.length).split('_');
  if (words[0] === 'ENV' || (words[0] === 'NAME' && words.length === 1)) return true;
  return words.some((word, index) => {
    const [next = '', second = ''] = words.slice(index + 1);
    if (word === 'SERVICE') return next === 'HOST' || next === 'PORT';
    return word === 'PORT' && /^\d+$/.test(next) && LINK_PROTOCOLS.has(second);
  });
}

const settingOf = (fileName: string): string => fileName.slice(0, -FILE_SUFFIX.length);

function isFileOf(names: SettingNames, name: string): boolean {
  return name.endsWith(FILE_SUFFIX) && names.isKnown(settingOf(name));
}

function valueFromFile(
  names: SettingNames,
  fileName: string,
  text: string,
  given: ReadonlyMap<string, string>,
): SettingValue {
  const name = settingOf(fileName);
  const file = normalize(fileName, text);
  if (!names.isSecret(name)) {
    throw new SettingError(`${fileName} is not supported: only secret settings can be in a file`);
  }
  if (file === '') return { text: '', source: fileName };
  if ((given.get(name) ?? '') !== '') {
    throw new SettingError(`${name} and ${fileName} are both set: remove one of them`);
  }
  const source = `${name} (from the file ${file})`;
  const value = normalize(source, readSecretFile(fileName, file));
  if (value === '') throw new SettingError(`${fileName}: the file ${file} is empty`);
  return { text: value, source };
}

const READ_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
};

function readSecretFile(name: string, file: string): string {
  const refuse = (reason: string): SettingError =>
    new SettingError(`${name}: the file ${file} ${reason}`);
  let bytes: Buffer;
  try {
    bytes = readStart(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw refuse(READ_ERRORS[code] ?? `cannot be read: ${code}`);
  }
  if (bytes.length > MAX_FILE_BYTES) throw refuse(`is larger than ${MAX_FILE_BYTES / 1024} KiB`);
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('is not UTF-8 text');
  }
}

/** Reads one byte more than is allowed, so that the caller recognizes a larger file. */
function readStart(file: string): Buffer {
  // A named pipe without a writer would block the start.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) {
      throw Object.assign(new Error('not a file'), { code: 'not a regular file' });
    }
    const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, buffer, length, buffer.length - length, null);
      if (count === 0) return buffer.subarray(0, length);
      length += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

const CONTROL_NAMES: Readonly<Record<string, string>> = {
  '\n': 'a line break',
  '\r': 'a carriage return',
  '\t': 'a tab',
};

/**
 * Removes line breaks at the end, which files of secrets tend to have.
 * @throws SettingError for other control characters and for a value in quotes: tools that pass variables
 *   literally leave both in the value
 */
function normalize(source: string, text: string): string {
  const value = trimEnd(text, '\r\n');
  const control = /[\p{Cc}\p{Zl}\p{Zp}]/u.exec(value)?.[0];
  if (control !== undefined) {
    throw new SettingError(
      `${source} contains ${CONTROL_NAMES[control] ?? 'a control character'}: remove it`,
    );
  }
  const quote = value.at(0);
  if ((quote === '"' || quote === "'") && value.endsWith(quote)) {
    throw new SettingError(
      `${source} begins and ends with ${quote}: remove the quotes, they are part of the value`,
    );
  }
  return value;
}
