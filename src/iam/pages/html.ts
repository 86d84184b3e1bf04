import { escapeHtml } from '../../lib/escape-html.ts';

/** Text that may stand in a page as it is. Only {@link html} makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; nothing at all stands for `undefined` and `false`. */
export type HtmlValue = string | number | Html | readonly Html[] | undefined | false;

/** The text of HTML. Every value that is no {@link Html} is escaped, for text and for quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const rendered = values.map((value, i) => render(value) + (strings[i + 1] ?? ''));
  return new Html((strings[0] ?? '') + rendered.join(''));
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return escapeHtml(String(value));
}
