import { apiError } from '../../http/errors.ts';
import { iamErrors } from '../iam-errors.ts';
import { COMMON_WORDS } from './common-passwords.ts';

export const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 256;

/** What a password must not simply repeat. */
export interface PasswordOwner {
  email: string;
  /** Name of this installation. */
  brand: string;
}

/**
 * Demands a password that cannot be guessed in a few attempts. There are no rules of composition: they
 * make passwords hard to remember, not to guess (NIST SP 800-63B section 5.1.1.2).
 * @throws ApiError 3043 that says what is wrong with it
 */
export function checkNewPassword(password: string, owner: PasswordOwner): void {
  const fault = faultOf(password.normalize('NFC'), owner);
  if (fault === undefined) return;
  throw apiError(iamErrors.unsuitablePassword, {
    message: `${iamErrors.unsuitablePassword.message}: ${fault}`,
  });
}

function faultOf(password: string, { email, brand }: PasswordOwner): string | undefined {
  const { length } = Array.from(password);
  if (length < MIN_PASSWORD_LENGTH) return `use at least ${MIN_PASSWORD_LENGTH} characters`;
  if (length > MAX_PASSWORD_LENGTH) return `use at most ${MAX_PASSWORD_LENGTH} characters`;
  const folded = password.toLowerCase();
  const [mailbox = ''] = email.toLowerCase().split('@');
  const core = coreOf(folded);
  if ([email.toLowerCase(), mailbox, brand].some((known) => folded === known || core === known)) {
    return 'do not use your email address or the name of this service';
  }
  if (isRun(folded) || isCommon(folded)) return 'it is a common password';
  return undefined;
}

/** Whether it is a few characters again and again, or follows an order: 1212121212, abcdefghijkl. */
function isRun(folded: string): boolean {
  const characters = Array.from(folded);
  if (new Set(characters).size <= 3 || repeatedUnit(folded).length <= 4) return true;
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, i) => Math.abs(code - (codes[i] ?? 0)));
  // After 9 comes 0.
  return steps.filter((step) => step <= 1 || step === 9).length >= steps.length - 1;
}

/** The shortest text of which the whole is a repetition; the last one may be cut off. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit;
  }
  return text;
}

/** Whether it is a common word, or one twice, with nothing around it that would have to be guessed. */
function isCommon(folded: string): boolean {
  const unit = repeatedUnit(folded);
  return [folded, unit, coreOf(folded), coreOf(unit), repeatedUnit(coreOf(folded))].some(
    (word) => COMMON_WORDS.has(word) || COMMON_WORDS.has(undoDigits(word)),
  );
}

/** Without the digits and signs before and after it that anybody would try: 1, 2024, 123456, !!. */
function coreOf(folded: string): string {
  const before = /^[^\p{L}]*/u.exec(folded)?.[0] ?? '';
  const after = /\p{L}([^\p{L}]*)$/u.exec(folded)?.[1] ?? '';
  const core = folded.slice(before.length, folded.length - after.length);
  const kept = [before, after].map((affix) => (isObvious(affix) ? '' : affix));
  return `${kept[0]}${core}${kept[1]}`;
}

function isObvious(affix: string): boolean {
  const digits = affix.replaceAll(/[^\p{N}]/gu, '');
  return digits.length <= 4 || isRun(digits);
}

const WRITTEN_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
};

function undoDigits(text: string): string {
  return text.replaceAll(/[013457@$]/g, (sign) => WRITTEN_AS[sign] ?? sign);
}
