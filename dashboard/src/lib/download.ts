/** Excel reads a file without it in the encoding of the country. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Gives the browser a file to keep, in UTF-8. */
export function download(name: string, type: string, text: string): void {
  const parts = type.startsWith('text/csv') ? [BYTE_ORDER_MARK, text] : [text];
  const url = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
