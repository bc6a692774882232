/** Colours, in the terminal's own palette. A colour only repeats what a symbol and a word say already. */

import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];
export type Paint = (text: string) => string;
export type Palette = {
  readonly good: Paint;
  readonly bad: Paint;
  readonly warning: Paint;
  readonly active: Paint;
  readonly faint: Paint;
  readonly strong: Paint;
};

/** Blue and yellow, not green and red: most colour-blind people can tell them apart. */
const styles: Readonly<Record<keyof Palette, Style>> = {
  good: 'blue',
  bad: ['bold', 'yellow'],
  warning: 'yellow',
  active: 'cyan',
  faint: 'dim',
  strong: 'bold',
};

export function paletteOf(hasColour: boolean): Palette {
  const paint =
    (name: keyof Palette): Paint =>
    (text) =>
      hasColour ? styleText(styles[name], text, { validateStream: false }) : text;
  return {
    good: paint('good'),
    bad: paint('bad'),
    warning: paint('warning'),
    active: paint('active'),
    faint: paint('faint'),
    strong: paint('strong'),
  };
}
