import { DeliveriesResource } from '../generated/resources/deliveries.ts';
import { DeliveryJobsResource } from '../generated/resources/delivery-jobs.ts';
import type { Delivery, DeliveryJob, DeliveryStore, StoredEvent } from '../generated/schema.ts';
import type { WaitOptions } from '../waiters/wait-for.ts';

export class Deliveries extends DeliveriesResource {
  /**
   * Waits until every store has answered: none is `pending` or `in_progress`. Look at `status` then: it is `delivered`,
   * `rejected`, `action_required` or `taken_down`. It may be `rejected` earlier, while other stores have not answered.
   */
  waitFor(deliveryId: string, options: WaitOptions<Delivery> = {}): Promise<Delivery> {
    return this.client.wait(
      {
        what: `the end of delivery ${deliveryId}`,
        read: (read) => this.get(deliveryId, read),
        isDone: ({ stores }) => stores.every(({ status }) => hasAnswered(status)),
        concerns: (event) => deliveryOf(event) === deliveryId,
      },
      options,
    );
  }
}

const hasAnswered = (status: DeliveryStore['status']): boolean =>
  status !== 'pending' && status !== 'in_progress';

function deliveryOf(event: StoredEvent): string | undefined {
  switch (event.type) {
    case 'delivery.completed':
    case 'delivery.taken_down':
      return event.data.id;
    case 'delivery.store.updated':
    case 'delivery.store.overdue':
      return event.data.delivery_id;
    default:
      return undefined;
  }
}

export class DeliveryJobs extends DeliveryJobsResource {
  /** Waits until the job has dealt with all its items: they have succeeded or failed. */
  waitFor(jobId: string, options: WaitOptions<DeliveryJob> = {}): Promise<DeliveryJob> {
    return this.client.wait(
      {
        what: `the end of job ${jobId}`,
        read: (read) => this.get(jobId, read),
        isDone: ({ status }) => status === 'completed',
      },
      options,
    );
  }
}
