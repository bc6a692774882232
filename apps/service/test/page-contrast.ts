/** The contrast of every visible text of a page against the background behind it (WCAG 2.2, 1.4.3). */

import type { Page } from 'playwright-core';

const contrastMin = 4.5;

/** Runs in the page, so it is a text: this repository has no types of the DOM. */
const script = String.raw`
(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const backgroundOf = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const background = channels(getComputedStyle(each).backgroundColor);
      if (background.length === 3 || background[3] === 1) return background;
    }
    return [255, 255, 255];
  };
  const hasOwnText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  const low = [];
  let checked = 0;
  for (const element of document.body.querySelectorAll('*')) {
    if (!hasOwnText(element) || !element.checkVisibility({ checkOpacity: true })) continue;
    const [one, other] = [channels(getComputedStyle(element).color), backgroundOf(element)]
      .map(luminance)
      .sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    checked += 1;
    if (contrast < ${contrastMin}) low.push(contrast.toFixed(2) + ' ' + element.textContent.slice(0, 40));
  }
  return { low, checked };
})()`;

type ContrastReport = { readonly low: readonly string[]; readonly checked: number };

export const lowContrastTexts = async (page: Page): Promise<ContrastReport> =>
  (await page.evaluate(script)) as ContrastReport;
