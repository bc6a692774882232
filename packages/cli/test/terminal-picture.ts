/** A screen of tmux (`capture-pane -e`) as an SVG: each run of one style is a text at its own column. */

import { widthOf } from '../src/output/text-width.ts';

type Style = { colour: string | undefined; isBold: boolean; isDim: boolean };

const cell = { width: 8.4, height: 18 };
const margin = 14;
const background = '#16181d';
const usual = '#d8dbe2';
/** The colours that the palette uses, as most terminals show them on dark ground. */
const colours: Readonly<Record<number, string>> = { 33: '#e5c07b', 34: '#6cb6ff', 36: '#56d4dd' };

function applySgr(style: Style, codes: string): Style {
  let next = style;
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) next = { colour: undefined, isBold: false, isDim: false };
    else if (code === 1) next = { ...next, isBold: true };
    else if (code === 2) next = { ...next, isDim: true };
    else if (code === 22) next = { ...next, isBold: false, isDim: false };
    else if (code === 39) next = { ...next, colour: undefined };
    else next = { ...next, colour: colours[code] ?? next.colour };
  }
  return next;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function runText(text: string, column: number, row: number, style: Style): string {
  const x = margin + column * cell.width;
  const y = margin + (row + 0.75) * cell.height;
  const weight = style.isBold ? ' font-weight="bold"' : '';
  const opacity = style.isDim ? ' opacity="0.65"' : '';
  const length = (widthOf(text) * cell.width).toFixed(1);
  return `<text x="${x.toFixed(1)}" y="${y}" fill="${style.colour ?? usual}"${weight}${opacity} textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${escaped(text)}</text>`;
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what it reads
const sgr = /\u001b\[([\d;]*)m/;

export function pictureOf(screen: string, columns: number): string {
  const lines = screen.trimEnd().split('\n');
  let style: Style = { colour: undefined, isBold: false, isDim: false };
  const texts: string[] = [];
  for (const [row, line] of lines.entries()) {
    let column = 0;
    // A split with a group returns text and codes in turn.
    for (const [index, part] of line.split(sgr).entries()) {
      if (index % 2 === 1) style = applySgr(style, part);
      else {
        if (part.trim() !== '') texts.push(runText(part, column, row, style));
        column += widthOf(part);
      }
    }
  }
  const width = margin * 2 + columns * cell.width;
  const height = margin * 2 + lines.length * cell.height;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${background}"/>
${texts.join('\n')}
</svg>
`;
}
