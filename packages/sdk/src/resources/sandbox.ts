import { SandboxClockResource } from '../generated/resources/sandbox-clock.ts';
import { SandboxResource } from '../generated/resources/sandbox.ts';
import type { SandboxClock, SandboxReset } from '../generated/schema.ts';
import type { WaitOptions } from '../waiters/wait-for.ts';

class Clock extends SandboxClockResource {
  /** Waits until the clock has arrived, and everything that became due on the way has happened. */
  waitFor(options: WaitOptions<SandboxClock> = {}): Promise<SandboxClock> {
    return this.client.wait(
      {
        what: 'the arrival of the sandbox clock',
        read: (read) => this.get(read),
        isDone: ({ status }) => status === 'idle',
      },
      options,
    );
  }
}

export class Sandbox extends SandboxResource {
  override readonly clock = new Clock(this.client);

  /** Waits until a reset is over. Look at its `status` then: it is `idle` or `failed`. */
  waitForReset(options: WaitOptions<SandboxReset> = {}): Promise<SandboxReset> {
    return this.client.wait(
      {
        what: 'the end of the reset',
        read: (read) => this.getReset(read),
        isDone: ({ status }) => status !== 'running',
      },
      options,
    );
  }
}
