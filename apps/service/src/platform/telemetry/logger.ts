import { type DestinationStream, type Logger, pino } from 'pino';

/** Where a secret could stand in a logged object, at the top and one level down. */
const secretNames = [
  'authorization',
  'x-api-key',
  'secret',
  'password',
  'token',
  'cookie',
  'parameters',
];

/** Structured logs, one line each. What may hold a secret is censored by name, as a second wall: none is logged. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: '[redacted]',
      },
    },
    ...(destination === undefined ? [] : [destination]),
  );
}
