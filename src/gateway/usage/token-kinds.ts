import type { JsonObject } from '../json/json-fields.ts';

/** Tokens of a kind that may have its own prices. */
export interface TokensOfKind {
  in: number;
  out: number;
  /** The part of the input that was read from the provider's cache. */
  cacheRead: number;
}

/** The tokens that are no text. */
export interface TokenKinds {
  audio: TokensOfKind;
  images: TokensOfKind;
}

/** The paths of the kinds of tokens in a response: an object, or Gemini's list. */
export interface KindDetails {
  input: unknown;
  output: unknown;
  cacheRead: unknown;
}

/** @returns null if the response reports only text */
export function readKinds(details: KindDetails): TokenKinds | null {
  const audio = ofKind(details, 'audio');
  const images = ofKind(details, 'image');
  return hasAny(audio) || hasAny(images) ? { audio, images } : null;
}

function ofKind(details: KindDetails, kind: 'audio' | 'image'): TokensOfKind {
  return {
    in: tokensIn(details.input, kind),
    out: tokensIn(details.output, kind),
    cacheRead: tokensIn(details.cacheRead, kind),
  };
}

function hasAny(tokens: TokensOfKind): boolean {
  return tokens.in > 0 || tokens.out > 0;
}

function tokensIn(details: unknown, kind: 'audio' | 'image'): number {
  if (Array.isArray(details)) {
    const modality = kind.toUpperCase();
    return (details as unknown[])
      .filter((item) => isObject(item))
      .filter((item) => item.modality === modality)
      .reduce((sum, { tokenCount }) => sum + countOf(tokenCount), 0);
  }
  return isObject(details) ? countOf(details[`${kind}_tokens`]) : 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** Returns true if the kinds can be parts of the counts. Parts that exceed the whole are ignored. */
export function areKindsWithin(
  { audio, images }: TokenKinds,
  whole: { in: number; out: number; cacheRead: number },
): boolean {
  return (
    audio.in + images.in <= whole.in &&
    audio.out + images.out <= whole.out &&
    audio.cacheRead + images.cacheRead <= whole.cacheRead &&
    audio.cacheRead <= audio.in &&
    images.cacheRead <= images.in
  );
}
