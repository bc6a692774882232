/** The process that `runTask` starts: imports the module, runs its function once, and sends the result. */

import { flushCompileCache } from 'node:module';
import { type Task, TaskRefused } from './child-task.ts';

const send = (message: object): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

/**
 * Ends this process at once. `process.exit` waits for V8's threads, one of which may wait for a garbage collection that only
 * this thread could do: the process would never end, and its parent would wait for it (nodejs/node#54918).
 */
function end(): void {
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
}

// Without its parent, nobody waits for the result.
process.once('disconnect', end);

process.once('message', ({ input }: { readonly input: unknown }) => {
  void runOnce(input).finally(end);
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
