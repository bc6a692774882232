/**
 * The signals of a process. They are handled before the first role starts, because a role that starts for minutes (it waits
 * for its database) has nothing to finish, and `all` has roles that start at different times.
 */

type Finish = (signal: string) => Promise<void>;

const registered: Finish[] = [];
const finishing: Promise<void>[] = [];
let received: string | undefined;

/** The same signal a second time ends the process at once. */
export function handleSignals(hasStarted: () => boolean): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    let times = 0;
    process.on(signal, () => {
      times += 1;
      if (times > 1) process.exit(1);
      if (received !== undefined) return;
      received = signal;
      void finishAll(signal, hasStarted);
    });
  }
}

/** What a role finishes, once it serves, before the process ends. */
export function onShutdown(finish: Finish): void {
  if (received === undefined) registered.push(finish);
  else finishing.push(finish(received));
}

async function finishAll(signal: string, hasStarted: () => boolean): Promise<void> {
  finishing.push(...registered.map((finish) => finish(signal)));
  // A role that starts meanwhile adds its own.
  for (let i = 0; i < finishing.length; i++) await finishing[i];
  // What a role that still starts has opened would keep the process running.
  if (!hasStarted()) process.exit(0);
}
