/**
 * How long a proof waits for something that does not move. Lost work is requeued after 30 seconds, then after 30 s, 1, 2
 * and 4 minutes, and a busy machine is several times slower than an idle one: a wait that takes longer than this is a
 * hang, also on a slow machine.
 */
export const hangMs = 600_000;
