/** `get|post|patch|delete <path>`: any operation of the API, also one that has no command. */

import type { Command } from 'commander';
import { type BodyOptions, addBodyOptions, readBody } from '../body.ts';
import { runs } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Context } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { safeJson } from '../output/safe-text.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** `/v1/releases`, `v1/releases` and `/releases` are the same. The query stays. */
function pathOf(text: string): string {
  const path = text.replace(/^\/*/, '/');
  if (/^\/\/|^\/https?:|\.\.|\s/.test(path))
    throw usageFailure(`${text} is not a path such as /v1/releases.`);
  return path.startsWith('/v1/') ? path : `/v1${path}`;
}

async function call(
  context: Context,
  method: Method,
  text: string,
  options: BodyOptions,
): Promise<void> {
  const path = pathOf(text);
  const hasBody = options.data !== undefined || options.field !== undefined;
  const body = hasBody ? await readBody(options) : undefined;
  if (method === 'DELETE') await confirm(context, `Delete ${path}?`);
  const answer: unknown = await context.client().request(method, path, {
    ...(body !== undefined && { body }),
    signal: context.signal,
  });
  // The answer is JSON in a terminal too: there is no table for every operation.
  if (answer !== undefined) process.stdout.write(`${safeJson(answer)}\n`);
}

export function addRawCommands(program: Command): void {
  const path = ['<path>', 'such as /v1/releases?limit=5'] as const;
  runs(
    program
      .command('get')
      .argument(...path)
      .description('GET a path of the API'),
    (context, [text = '']) => call(context, 'GET', text, {}),
  );
  for (const method of ['POST', 'PATCH'] as const) {
    const command = program.command(method.toLowerCase()).argument(...path);
    runs<BodyOptions>(
      addBodyOptions(command.description(`${method} to a path of the API`)),
      (context, [text = ''], options) => call(context, method, text, options),
    );
  }
  runs(
    program
      .command('delete')
      .argument(...path)
      .description('DELETE a path of the API (asks first)'),
    (context, [text = '']) => call(context, 'DELETE', text, {}),
  );
}
