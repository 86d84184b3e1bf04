import { escapeHtml } from '../../lib/escape-html.ts';

const WEB_ADDRESS = /^https?:\/\/[^\s<>"']+$/;

function lineHtml(line: string): string {
  const html = escapeHtml(line);
  return WEB_ADDRESS.test(line) ? `<a href="${html}">${html}</a>` : html;
}

/**
 * The HTML alternative of a plain text: its paragraphs and lines. A web address that is a line of its
 * own becomes a link; others may be part of a name that somebody has chosen.
 */
export function renderMailHtml(text: string): string {
  const paragraphs = text
    .split(/(?:\r?\n){2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const lines = paragraph.trim().split(/\r?\n/);
      return `<p>${lines.map((line) => lineHtml(line)).join('<br>\n')}</p>\n`;
    });
  return `<!doctype html>\n<html>\n<body>\n${paragraphs.join('')}</body>\n</html>\n`;
}
