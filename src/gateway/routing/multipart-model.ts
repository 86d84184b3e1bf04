const BOUNDARY = /;[ \t]*boundary=(?:"([^"\\]{1,70})"|([^\s;"]{1,70}))[ \t]*(?:;|$)/i;
const MULTIPART = /^multipart\/form-data[ \t]*;/i;
const MODEL_NAME = /^[^"\\\r\n]{1,300}$/;
// A part has two or three header fields.
const MAX_HEADER_BYTES = 4_096;
// Forms have a few fields and files.
const MAX_PARTS = 100;
const MAX_MODEL_BYTES = 1_024;
const MAX_TYPE_LENGTH = 256;

/**
 * Reads the field `model` of a form, such as those that upload audio (RFC 7578). It does not read other
 * fields, so that the body is not parsed.
 * @returns undefined if the body is not a canonical form with exactly one such field
 */
export function readMultipartModel(
  body: Buffer,
  contentType: string | undefined,
): string | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter begins the body.
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return undefined;
  let model: string | undefined;
  let start = delimiter.length - 2;
  for (let parts = 0; parts <= MAX_PARTS; parts++) {
    const mark = body.toString('latin1', start, start + 2);
    if (mark === '--') return model;
    const end = body.indexOf(delimiter, start);
    if (mark !== '\r\n' || end < 0) return undefined;
    const part = readPart(body.subarray(start + 2, end));
    if (part === undefined) return undefined;
    if (part.isModel) {
      if (model !== undefined || !MODEL_NAME.test(part.value)) return undefined;
      model = part.value;
    }
    start = end + delimiter.length;
  }
  return undefined;
}

/** @returns undefined for any other type */
function boundaryOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType.length > MAX_TYPE_LENGTH) return undefined;
  if (!MULTIPART.test(contentType)) return undefined;
  const found = BOUNDARY.exec(contentType);
  return found?.[1] ?? found?.[2];
}

/** @returns undefined if the part cannot be read */
function readPart(part: Buffer): { isModel: boolean; value: string } | undefined {
  const end = part.subarray(0, MAX_HEADER_BYTES).indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const header = part.toString('latin1', 0, end).toLowerCase();
  const isModel = header.includes('name="model"');
  // Some parsers read names with escapes or without quotes as the same name.
  if (!isModel && /name\*?=[^"]|model/.test(header)) return undefined;
  const value = isModel ? part.toString('utf8', end + 4, end + 4 + MAX_MODEL_BYTES) : '';
  return { isModel, value };
}
