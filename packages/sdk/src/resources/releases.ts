import { ReleasesResource } from '../generated/resources/releases.ts';
import type { Release } from '../generated/schema.ts';
import type { WaitOptions } from '../waiters/wait-for.ts';

export class Releases extends ReleasesResource {
  /** Waits until the review of the latest submission is over. Look at `submission.review_status` then. */
  waitForReview(releaseId: string, options: WaitOptions<Release> = {}): Promise<Release> {
    return this.client.wait(
      {
        what: `the review of release ${releaseId}`,
        read: (read) => this.get(releaseId, read),
        isDone: ({ submission }) => (submission?.review_status ?? 'pending') !== 'pending',
      },
      options,
    );
  }
}
