/** The process that `runTask` starts: imports the module, runs its function once, and sends the result. */

import { type Task, TaskRefused } from './child-task.ts';

const send = (message: object): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

// Without its parent, nobody waits for the result.
process.once('disconnect', () => process.exit(1));

process.once('message', ({ input }: { readonly input: unknown }) => {
  void runOnce(input).finally(() => process.exit());
});

async function runOnce(input: unknown): Promise<void> {
  try {
    const { run } = (await import(process.argv[2] ?? '')) as {
      readonly run: Task<unknown, unknown>;
    };
    const result = await run(input, (progress) => void send({ progress }));
    await send({ result });
  } catch (error) {
    await send(
      error instanceof TaskRefused
        ? { refused: error.message, details: error.details }
        : { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    );
  }
}
