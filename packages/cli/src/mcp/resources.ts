/** The resources of the MCP server: every guide as Markdown, and the catalogue of error codes. */

import { ErrorCode, McpError, type Resource } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorCodes } from './error-codes.ts';
import type { GuideReader } from './guides.ts';

const guidePrefix = 'tonearm://guides/';
const errorCodesUri = 'tonearm://error-codes';
const markdown = 'text/markdown';

export const resourceTemplates = [
  {
    uriTemplate: `${guidePrefix}{guide}`,
    name: 'guide',
    title: 'A guide',
    description: 'A guide of the documentation.',
    mimeType: markdown,
  },
  {
    uriTemplate: `${errorCodesUri}/{code}`,
    name: 'error-code',
    title: 'An error code',
    description: 'The cause and the cure of one error code.',
    mimeType: markdown,
  },
];

export async function listResources(guides: GuideReader): Promise<Resource[]> {
  return [
    {
      uri: errorCodesUri,
      name: 'error-codes',
      title: 'Error codes',
      description: 'Every error code with its status, cause and cure.',
      mimeType: markdown,
    },
    ...(await guides.list()).map(({ name, title, description }) => ({
      uri: `${guidePrefix}${name}`,
      name,
      title,
      description,
      mimeType: markdown,
    })),
  ];
}

const missing = (uri: string) =>
  new McpError(ErrorCode.InvalidParams, `There is no resource ${uri}.`);

async function readText(uri: string, guides: GuideReader, errorCodes: ErrorCodes): Promise<string> {
  if (uri.startsWith(guidePrefix)) {
    return guides.read(uri.slice(guidePrefix.length)).catch(() => {
      throw missing(uri);
    });
  }
  const code = uri.startsWith(`${errorCodesUri}/`)
    ? uri.slice(errorCodesUri.length + 1)
    : undefined;
  if (code === undefined && uri !== errorCodesUri) throw missing(uri);
  const found = (await errorCodes.all()).filter((each) => code === undefined || each.code === code);
  if (found.length === 0) throw missing(uri);
  return found
    .map((each) => `## ${each.code} (${each.status})\n\n${each.cause}\n\n${each.cure}\n`)
    .join('\n');
}

export const readResource = async (uri: string, guides: GuideReader, errorCodes: ErrorCodes) => ({
  contents: [{ uri, mimeType: markdown, text: await readText(uri, guides, errorCodes) }],
});
