/** The guides and error codes as the service serves them, so that they always describe the version that is called. */

import { ToolRefusal } from './refusal.ts';

type Guide = { readonly name: string; readonly title: string; readonly description: string };

export type GuideReader = {
  readonly list: () => Promise<readonly Guide[]>;
  readonly read: (name: string) => Promise<string>;
};

const partMax = 16_000;
const guideCharsMax = 500_000;
const timeoutMs = 20_000;

/** A line of llms.txt: `- [Webhooks](https://…/docs/guides/webhooks.md): Receive …`. */
const guideLine = /^- \[([^\]]+)\]\(\S*\/docs\/guides\/([\w-]+)\.md\): (.*)$/gm;

export function createGuideReader(baseUrl: string, fetchText = fetch): GuideReader {
  const read = async (path: string): Promise<string | undefined> => {
    const response = await fetchText(new URL(path, baseUrl), {
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return response.ok ? text.slice(0, guideCharsMax) : undefined;
  };
  return {
    list: async () =>
      [...((await read('/llms.txt')) ?? '').matchAll(guideLine)].map(
        ([, title = '', name = '', description = '']) => ({ name, title, description }),
      ),
    read: async (name) => {
      const text = /^[\w-]+$/.test(name) ? await read(`/docs/guides/${name}.md`) : undefined;
      if (text !== undefined) return text;
      throw new ToolRefusal({
        code: 'guide_not_found',
        message: `There is no guide ${JSON.stringify(name)}.`,
        cure: 'Call read_guide without arguments to list the guides.',
      });
    },
  };
}

/** One part of a guide, with where the next part begins. */
export function guideText(text: string, offset: number) {
  const part = text.slice(offset, offset + partMax);
  const end = offset + part.length;
  return { text: part, next_offset: end < text.length ? end : null, total: text.length };
}
