/**
 * How long a proof waits for something that does not move. Lost work is requeued after 30 seconds, then after 30 s, 1, 2
 * and 4 minutes, and a busy machine is several times slower than an idle one: a wait that takes longer than this is a
 * hang, also on a slow machine.
 */
export const hangMs = 600_000;

export type HangLimit = {
  /** Begins a wait. The returned function tells whether it is a hang. */
  readonly beginWait: () => () => boolean;
  readonly endFaults: () => void;
};

/**
 * For proofs that kill processes: only the time after the last fault counts. A handler that was killed five times in a
 * row waits 8 minutes for its next try (ADR 0015), and that one may be killed too.
 */
export function openHangLimit(): HangLimit {
  let faultsEndedAt = Number.POSITIVE_INFINITY;
  return {
    beginWait: () => {
      const begunAt = Date.now();
      return () => Date.now() - Math.max(begunAt, faultsEndedAt) > hangMs;
    },
    endFaults: () => {
      faultsEndedAt = Date.now();
    },
  };
}
