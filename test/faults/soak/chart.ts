/** Lines over the same time, in small charts beside and below each other, as an SVG for light and dark pages. */
export interface Panel {
  title: string;
  /** Of the numbers at the left. */
  unit: string;
  lines: readonly Line[];
}

export interface Line {
  /** Left out where there is only one. */
  name?: string;
  /** Undefined where there is nothing to draw. */
  values: readonly (number | undefined)[];
}

const COLUMNS = 2;
const WIDTH = 440;
const HEIGHT = 190;
const PLOT = { left: 52, top: 44, right: 14, bottom: 26 };
const MAX_POINTS = 180;
const TICKS = 4;

/** Told apart on white and on black, also by those who see no red and green. */
const COLOURS = [
  { light: '#0969da', dark: '#58a6ff' },
  { light: '#bc4c00', dark: '#f0883e' },
  { light: '#1a7f37', dark: '#56d364' },
  { light: '#8250df', dark: '#d2a8ff' },
];

const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #57606a; }
  .title { font-size: 13px; font-weight: 600; fill: #1f2328; }
  .grid { stroke: #d0d7de; stroke-width: 1; }
  .line { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
  ${COLOURS.map(({ light }, index) => `.c${index} { stroke: ${light}; } text.c${index} { fill: ${light}; stroke: none; }`).join('\n  ')}
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; }
    .title { fill: #e6edf3; }
    .grid { stroke: #3d444d; }
    ${COLOURS.map(({ dark }, index) => `.c${index} { stroke: ${dark}; } text.c${index} { fill: ${dark}; }`).join('\n    ')}
  }`;

/**
 * Draws the panels.
 * @param minutes how long the time is that all values are spread over
 */
export function drawPanels(description: string, panels: readonly Panel[], minutes: number): string {
  const rows = Math.ceil(panels.length / COLUMNS);
  const [width, height] = [COLUMNS * WIDTH, rows * HEIGHT];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escape(description)}">`,
    `<style>${STYLE}\n</style>`,
    ...panels.map((panel, index) => {
      const x = (index % COLUMNS) * WIDTH;
      const y = Math.floor(index / COLUMNS) * HEIGHT;
      return `<g transform="translate(${x} ${y})">\n${drawPanel(panel, minutes)}\n</g>`;
    }),
    '</svg>\n',
  ].join('\n');
}

function drawPanel({ title, unit, lines }: Panel, minutes: number): string {
  const drawn = lines.map((line) => ({ ...line, values: thin(line.values) }));
  const greatest = Math.max(
    0,
    ...drawn.flatMap(({ values }) => values.filter((value) => value !== undefined)),
  );
  const step = niceStep(greatest / TICKS);
  const top = Math.max(1, Math.ceil(greatest / step)) * step;
  const plotWidth = WIDTH - PLOT.left - PLOT.right;
  const plotHeight = HEIGHT - PLOT.top - PLOT.bottom;
  const yOf = (value: number): number => PLOT.top + plotHeight * (1 - value / top);
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
  const names = drawn.filter(({ name }) => name !== undefined);
  return [
    `<text class="title" x="${PLOT.left}" y="16">${escape(title)} (${escape(unit)})</text>`,
    ...names.map(
      ({ name = '' }, index) =>
        `<text class="c${index}" x="${PLOT.left + (index * plotWidth) / names.length}" y="33">${escape(name)}</text>`,
    ),
    ...ticks.map(
      (tick) =>
        `<line class="grid" x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${place(yOf(tick))}" y2="${place(yOf(tick))}"/><text x="${PLOT.left - 6}" y="${place(yOf(tick) + 4)}" text-anchor="end">${format(tick, step)}</text>`,
    ),
    ...[0, 0.5, 1].map(
      (share) =>
        `<text x="${place(PLOT.left + share * plotWidth)}" y="${HEIGHT - 8}" text-anchor="${share === 0 ? 'start' : share === 1 ? 'end' : 'middle'}">${format(share * minutes, 0.5)} min</text>`,
    ),
    ...drawn.map(
      ({ values }, index) => `<path class="line c${index}" d="${pathOf(values, plotWidth, yOf)}"/>`,
    ),
  ].join('\n');
}

function pathOf(
  values: readonly (number | undefined)[],
  plotWidth: number,
  yOf: (value: number) => number,
): string {
  const gap = plotWidth / Math.max(1, values.length - 1);
  let isDrawing = false;
  const parts = values.map((value, index) => {
    if (value === undefined) {
      isDrawing = false;
      return '';
    }
    const command = isDrawing ? 'L' : 'M';
    isDrawing = true;
    return `${command}${place(PLOT.left + index * gap)} ${place(yOf(value))}`;
  });
  return parts.join('');
}

/** The greatest of each stretch, so that no peak goes missing. */
function thin(values: readonly (number | undefined)[]): (number | undefined)[] {
  const length = Math.ceil(values.length / MAX_POINTS);
  const thinned: (number | undefined)[] = [];
  for (let from = 0; from < values.length; from += length) {
    const known = values
      .slice(from, from + length)
      .filter((value) => value !== undefined && !Number.isNaN(value));
    thinned.push(known.length === 0 ? undefined : Math.max(...(known as number[])));
  }
  return thinned;
}

/** 1, 2 or 5 times a power of ten. */
function niceStep(atLeast: number): number {
  if (atLeast <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= atLeast) ?? 10);
}

const place = (position: number): string => String(Math.round(position * 10) / 10);

const format = (value: number, step: number): string =>
  value.toFixed(step < 1 && !Number.isInteger(value) ? Math.ceil(-Math.log10(step)) : 0);

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
