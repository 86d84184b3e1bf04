// What a spreadsheet would take for a formula and work out (CWE-1236).
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
// In some countries a semicolon parts the columns, and what stands behind it would begin a cell.
const TO_BE_QUOTED = /[",;\t\r\n]/;

/** Without it, Excel reads a file in the encoding of the country. */
const BYTE_ORDER_MARK = '\u{feff}';

type Cell = string | number | boolean | null;

/**
 * A table as RFC 4180 has it, for a file in UTF-8. Texts that look like a formula get an apostrophe in front of them, which
 * spreadsheets take for the beginning of a text.
 */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: Cell): string {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
