interface Signature {
  contentType: string;
  /** Where it must stand in the file. */
  parts: readonly (readonly [offset: number, bytes: string])[];
}

const SIGNATURES: readonly Signature[] = [
  { contentType: 'image/png', parts: [[0, '\x89PNG\r\n\x1a\n']] },
  { contentType: 'image/jpeg', parts: [[0, '\xff\xd8\xff']] },
  { contentType: 'image/gif', parts: [[0, 'GIF87a']] },
  { contentType: 'image/gif', parts: [[0, 'GIF89a']] },
  {
    contentType: 'image/webp',
    parts: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { contentType: 'image/avif', parts: [[4, 'ftypavif']] },
  { contentType: 'image/avif', parts: [[4, 'ftypavis']] },
];

/**
 * What kind of picture a file is, by its content, whatever its server says; undefined for one that
 * is no picture of the kinds that browsers show.
 */
export function detectImageType(content: Buffer): string | undefined {
  const signature = SIGNATURES.find(({ parts }) =>
    parts.every(([offset, bytes]) => startsWith(content, bytes, offset)),
  );
  if (signature !== undefined) return signature.contentType;
  return isSvg(content) ? 'image/svg+xml' : undefined;
}

function startsWith(content: Buffer, bytes: string, offset: number): boolean {
  return content.toString('latin1', offset, offset + bytes.length) === bytes;
}

// What may stand before the first element of a document (XML 1.0, section 2.8). A document type with
// declarations of its own is not among it: those can grow without end when they are read.
const PROLOG = /(?:\s+|<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE\s[^[>]*>)/y;
const ROOT = /<svg[\s/>]/y;

function isSvg(content: Buffer): boolean {
  const text = content.toString('utf8').replace(/^\ufeff/, '');
  let end = 0;
  for (PROLOG.lastIndex = 0; PROLOG.test(text);) end = PROLOG.lastIndex;
  ROOT.lastIndex = end;
  return ROOT.test(text);
}
