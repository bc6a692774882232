/**
 * OpenTelemetry for one process: metrics for Prometheus on a private port, traces to an OTLP collector.
 * Both are off unless configured; the rest of the code uses the OpenTelemetry API, which then does nothing.
 */

import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { observeEventLoopLag } from './instruments.ts';

export type TelemetryConfig = {
  readonly metricsHost: string;
  readonly metricsPort: number | undefined;
  readonly tracesUrl: string | undefined;
};

const flushEveryMs = 1_000;

export async function startTelemetry(role: string, config: TelemetryConfig): Promise<void> {
  const resource = resourceFromAttributes({ 'service.name': `tonearm-${role}` });
  if (config.metricsPort !== undefined) {
    const reader = new PrometheusExporter({
      host: config.metricsHost,
      port: config.metricsPort,
      preventServerStart: true,
    });
    metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));
    observeEventLoopLag();
    await reader.startServer();
  }
  if (config.tracesUrl !== undefined) {
    const exporter = new OTLPTraceExporter({ url: config.tracesUrl });
    const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: flushEveryMs });
    new NodeTracerProvider({ resource, spanProcessors: [processor] }).register();
  }
}
