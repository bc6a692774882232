import type { TelemetryConfig } from '../../platform/telemetry/telemetry.ts';
import { httpUrl, notEmpty, optionally, wholeNumber } from './parsers.ts';
import { type Env, openSettings } from './settings.ts';

/** For the roles that keep running: api, relay and worker. */
export function readTelemetryConfig(env: Env = process.env): TelemetryConfig {
  const { read, finish } = openSettings(env);
  return finish<TelemetryConfig>({
    metricsHost: read('TONEARM_METRICS_HOST', notEmpty, '127.0.0.1'),
    metricsPort: read('TONEARM_METRICS_PORT', optionally(wholeNumber(1, 65_535)), ''),
    tracesUrl: read('TONEARM_TRACES_URL', optionally(httpUrl), ''),
  });
}
