/**
 * A trace follows a request through its outbox row and the engine to its handler: the row carries the
 * context as a W3C `traceparent`, the outbox relay sends it along, the handler continues from it.
 */

import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

const tracer = () => trace.getTracer('tonearm');

/** The context of the active span; undefined if nothing is traced. */
export function currentTraceParent(): string | undefined {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'];
}

/** Starts the span of a request and calls `follow` inside it. */
export function inRequestSpan(name: string, follow: (span: Span) => void): void {
  const span = tracer().startSpan(name, { kind: SpanKind.SERVER });
  context.with(trace.setSpan(context.active(), span), () => follow(span));
}

/** Runs work in a span that continues the sender's trace. */
export async function inContinuedSpan<T>(
  name: string,
  traceParent: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const parent = propagation.extract(
    context.active(),
    traceParent === undefined ? {} : { traceparent: traceParent },
  );
  const span = tracer().startSpan(name, { kind: SpanKind.CONSUMER }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
