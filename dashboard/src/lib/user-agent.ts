type Pattern = readonly [pattern: RegExp, name: string];

// The order counts: most browsers also claim to be those that came before them.
const BROWSERS: readonly Pattern[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];

const SYSTEMS: readonly Pattern[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

const HAND_HELD: ReadonlySet<string | undefined> = new Set(['iPhone', 'iPad', 'Android']);

/** What somebody used to come here. */
export interface Device {
  /** In words: "Firefox on Windows", "curl 8.9". */
  name: string;
  isHandHeld: boolean;
}

/** Reads the `user-agent` header as far as a person would want to know it. */
export function deviceOf(userAgent: string): Device {
  const browser = firstMatch(BROWSERS, userAgent);
  const system = firstMatch(SYSTEMS, userAgent);
  const isHandHeld = HAND_HELD.has(system);
  if (browser !== undefined && system !== undefined) {
    return { name: `${browser} on ${system}`, isHandHeld };
  }
  const [, program, version] = /^([\w.-]{1,40})(?:\/([\d.]{1,12}))?/.exec(userAgent) ?? [];
  const other = [program, version].filter(Boolean).join(' ');
  return { name: browser ?? system ?? (other === '' ? 'Unknown program' : other), isHandHeld };
}

function firstMatch(patterns: readonly Pattern[], userAgent: string): string | undefined {
  return patterns.find(([pattern]) => pattern.test(userAgent))?.[1];
}
