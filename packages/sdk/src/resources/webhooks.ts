import { WebhooksResource } from '../generated/resources/webhooks.ts';
import type { WebhookEvent } from '../generated/schema.ts';
import { verifyWebhook, type VerifyOptions, type WebhookHeaders } from '../webhooks/verify.ts';

export class Webhooks extends WebhooksResource {
  /**
   * Verifies that a request to your endpoint comes from Tonearm, and resolves with its event. `body` is the raw body;
   * `secrets` is one `whsec_…`, or a list of them while you rotate. Rejects with `WebhookVerificationError`.
   */
  verify(
    body: string | Uint8Array | ArrayBuffer,
    headers: WebhookHeaders,
    secrets: string | readonly string[],
    options?: VerifyOptions,
  ): Promise<WebhookEvent> {
    return verifyWebhook(body, headers, secrets, options);
  }
}
