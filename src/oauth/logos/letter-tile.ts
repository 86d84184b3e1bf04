import { html } from '../../iam/pages/html.ts';
import { type Logo, createLogo } from './logo.ts';

const letters = new Intl.Segmenter('en');

/** What stands for an application without a logo: its first letter. */
export function letterTile(name: string): Logo {
  const [{ segment: letter } = { segment: '' }] = letters.segment(name.trim());
  const { text } = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="96"
    height="96"
    viewBox="0 0 96 96"
  >
    <style>
      rect {
        fill: #e3e8e4;
      }
      text {
        fill: #3d4842;
        font:
          600 44px system-ui,
          sans-serif;
        text-anchor: middle;
      }
      @media (prefers-color-scheme: dark) {
        rect {
          fill: #2c342f;
        }
        text {
          fill: #cdd5cf;
        }
      }
    </style>
    <rect width="96" height="96" rx="18" />
    <text x="48" y="64">${letter.toUpperCase()}</text>
  </svg>`;
  return createLogo('image/svg+xml', Buffer.from(text));
}
