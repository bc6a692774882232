import { type DestinationStream, type Logger, pino } from 'pino';

/** Fields of a logged object that could contain a secret, at the top and up to two levels down. */
const secretNames = [
  'authorization',
  'x-api-key',
  'secret',
  'password',
  'token',
  'cookie',
  'parameters',
];

/** Structured logs, one line each. No code logs a secret; censoring fields by name is the second wall. */
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
