#!/usr/bin/env node
/** `tonearm`: runs one command and ends with the status that says how it went. */

import { enableCompileCache } from 'node:module';

// From the second start on, Node compiles nothing again. It works for what is imported afterwards.
enableCompileCache();
const { createProgram } = await import('./program.ts');
const { reportFailure } = await import('./report-failure.ts');

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = reportFailure(error);
}
