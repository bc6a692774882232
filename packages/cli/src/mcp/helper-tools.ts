/** Tools that stand for more than one call: files of this machine, waiting, and guides. */

import type { Folder } from './files.ts';
import { type GuideReader, guideText } from './guides.ts';
import { ToolRefusal } from './refusal.ts';
import type { Arguments, Tool, ToolContext } from './tool.ts';

/** Clients give up on a call after about a minute: a longer wait is continued by another call. */
const waitSecondsDefault = 45;
const waitSecondsMax = 300;

type Waited = { readonly delivery: unknown; readonly isFinished: boolean };

export type HelperDeps = {
  readonly guides: GuideReader;
  readonly folder: Folder | undefined;
  readonly upload: (
    path: string,
    options: { readonly type: string } & ToolContext,
  ) => Promise<unknown>;
  readonly waitForDelivery: (
    id: string,
    options: { readonly timeoutMs: number } & ToolContext,
  ) => Promise<Waited>;
};

function textArgument(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new ToolRefusal({
    code: 'argument_missing',
    message: `The argument ${name} is missing, or it is not a text.`,
    cure: `Send ${name}.`,
  });
}

function waitMs({ timeout_seconds: seconds }: Arguments): number {
  const isNumber = typeof seconds === 'number' && seconds > 0;
  return Math.min(isNumber ? seconds : waitSecondsDefault, waitSecondsMax) * 1_000;
}

const readTool = { kind: 'read', isRepeatable: true } as const;

const waitTool = ({ waitForDelivery }: HelperDeps): Tool => ({
  ...readTool,
  name: 'wait_for_delivery',
  title: 'Wait for a delivery',
  group: 'deliveries',
  description:
    'Waits until every store of a delivery has finished, and returns the delivery. If it takes longer than `timeout_seconds`, `is_finished` is false: call it again. In the sandbox, stores publish a release on its release date: `advance_sandbox_clock` moves there.',
  schema: {
    type: 'object',
    properties: {
      delivery_id: { type: 'string', description: 'The id of the delivery.' },
      timeout_seconds: {
        type: 'integer',
        minimum: 1,
        maximum: waitSecondsMax,
        default: waitSecondsDefault,
        description: 'How long to wait.',
      },
    },
    required: ['delivery_id'],
  },
  run: async (args, context) => {
    const id = textArgument(args, 'delivery_id');
    const { delivery, isFinished } = await waitForDelivery(id, {
      ...context,
      timeoutMs: waitMs(args),
    });
    return { is_finished: isFinished, delivery };
  },
});

const guideTool = ({ guides }: HelperDeps): Tool => ({
  ...readTool,
  isBounded: true,
  name: 'read_guide',
  title: 'Read a guide',
  group: 'reference',
  description:
    'Returns a guide of the documentation as Markdown, in parts of 16,000 characters. Without `guide`, lists the guides.',
  schema: {
    type: 'object',
    properties: {
      guide: { type: 'string', description: 'The name of a guide, for example `webhooks`.' },
      offset: { type: 'integer', minimum: 0, description: 'Where to begin, in characters.' },
    },
  },
  run: async (args) => {
    if (args['guide'] === undefined) return { guides: await guides.list() };
    const offset = typeof args['offset'] === 'number' ? args['offset'] : 0;
    return guideText(await guides.read(textArgument(args, 'guide')), offset);
  },
});

const listFilesTool = (folder: Folder): Tool => ({
  ...readTool,
  name: 'list_files',
  title: 'List local files',
  group: 'assets',
  description: 'Lists the audio and artwork files of the folder that this server may upload from.',
  schema: { type: 'object', properties: {} },
  run: () => folder.list(),
});

const uploadTool = (folder: Folder, { upload }: HelperDeps): Tool => ({
  kind: 'write',
  isRepeatable: false,
  name: 'upload_file',
  title: 'Upload a local file',
  group: 'assets',
  description:
    'Creates an asset, uploads a file of the folder that `list_files` shows, and waits until it is examined. Use the `id` of the answer as `audio_asset_id` of a track or `artwork_asset_id` of a release.',
  schema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The path of the file, as `list_files` shows it.' },
    },
    required: ['path'],
  },
  run: async (args, context) => {
    const { path, type } = await folder.find(textArgument(args, 'path'));
    return upload(path, { type, ...context });
  },
});

export const helperTools = (deps: HelperDeps): readonly Tool[] => [
  waitTool(deps),
  guideTool(deps),
  ...(deps.folder === undefined ? [] : [listFilesTool(deps.folder), uploadTool(deps.folder, deps)]),
];
