const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

// A full stop or a bracket after an address belongs to the sentence.
const WEB_ADDRESS = /\bhttps?:\/\/[^\s<>"']*[^\s<>"'.,:;!?)\]]/g;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function withLinks(paragraph: string): string {
  let html = '';
  let end = 0;
  for (const match of paragraph.matchAll(WEB_ADDRESS)) {
    const address = escapeHtml(match[0]);
    html += `${escapeHtml(paragraph.slice(end, match.index))}<a href="${address}">${address}</a>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(paragraph.slice(end));
}

/** The HTML alternative of a plain text: its paragraphs and lines, with web addresses as links. */
export function renderMailHtml(text: string): string {
  const paragraphs = text
    .split(/(?:\r?\n){2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${withLinks(paragraph.trim()).replaceAll(/\r?\n/g, '<br>\n')}</p>\n`);
  return `<!doctype html>\n<html>\n<body>\n${paragraphs.join('')}</body>\n</html>\n`;
}
