/** Runs the farewell once, on the first signal to leave; further ones change nothing. */
export function onShutdown(shutDown: (signal: string) => Promise<void>): void {
  let isLeaving = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isLeaving) return;
      isLeaving = true;
      void shutDown(signal);
    });
  }
}
