import { SettingError } from './setting-parsers.ts';

/** Prefix of every setting. */
export const PREFIX = 'LATCHKEY_';

/** Parser and documentation of a setting. */
export interface Setting<T> {
  /** One line for `--help` and the reference. */
  readonly meaning: string;
  /** The default as text; undefined when the setting may be left out. */
  readonly default: string | undefined;
  /** Never shown, logged or put into an error. */
  readonly secret?: true;
  parse(text: string): T;
}

/** Declares a setting; only fixes its type. */
export function setting<T, D extends string | undefined>(
  meaning: string,
  defaultText: D,
  parse: (value: string) => T,
) {
  return { meaning, default: defaultText, parse };
}

/** Declares a setting whose value is never shown, logged or put into an error. */
export function secretSetting<T, D extends string | undefined>(
  meaning: string,
  defaultText: D,
  parse: (value: string) => T,
) {
  return { ...setting(meaning, defaultText, parse), secret: true as const };
}

/** The type of a setting's value. */
export type Parsed<S> = S extends { default: infer D; parse(value: string): infer T }
  ? undefined extends D
    ? T | undefined
    : T
  : never;

/** Documentation of one setting. */
export interface SettingDoc {
  name: string;
  default: string;
  meaning: string;
  /** Secrets are never shown, and a file can contain them. */
  isSecret: boolean;
}

/** @throws SettingError with one line that names the setting, and its value if that may be shown */
export function parseValue<T>(name: string, value: string, spec: Setting<T>): T {
  try {
    return spec.parse(value);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    // The text before an `@` may be a password.
    const isSecret = spec.secret === true || value.includes('@');
    const shown = isSecret ? '' : `, not "${value}"`;
    throw new SettingError(`${name} ${error.message}${shown}`);
  }
}
