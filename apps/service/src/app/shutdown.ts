/** Calls `shutDown` once, on the first SIGTERM or SIGINT. */
export function onShutdown(shutDown: (signal: string) => Promise<void>): void {
  let isShuttingDown = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isShuttingDown) return;
      isShuttingDown = true;
      void shutDown(signal);
    });
  }
}
