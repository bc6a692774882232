import { openApiDocument } from '../platform/http/openapi.ts';
import type { AnyOperation } from '../platform/http/operation.ts';
import { apiTags } from './api-tags.ts';
import { receivedEvents, webhookDescriptions } from './event-catalogue.ts';

/** The OpenAPI document, with the dates that its examples have at `now`. */
export const describeApi = (operations: readonly AnyOperation[], now: Date) =>
  openApiDocument(operations, {
    tags: apiTags,
    webhooks: webhookDescriptions,
    webhookEvent: receivedEvents.union,
    now,
  });
