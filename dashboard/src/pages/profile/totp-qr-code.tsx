import { encode } from 'uqr';
import { labels } from './labels.ts';

// Many cameras read no code whose margin is narrower (ISO/IEC 18004 asks for four modules).
const MARGIN = 4;

/** A text for the camera of a phone. Black on white in the dark, too: not every camera reads the reverse. */
export function TotpQrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: MARGIN });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={labels.qrCodeWithTheKey}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-lg border border-line"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
