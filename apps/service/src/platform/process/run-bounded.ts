/**
 * Runs a program that reads hostile files: bounded in time, memory and output, with an empty environment
 * and no standard input. Whatever it does, only it dies.
 */
import { spawn } from 'node:child_process';

export type Bounds = {
  readonly timeoutMs: number;
  /** Of address space, where the system can bound it. */
  readonly memoryBytes: number;
};

export type Ended = {
  /** Null when it was killed: for its time, or by the system for its memory. */
  readonly code: number | null;
  readonly isLate: boolean;
  /** The beginning of what it said. */
  readonly output: string;
  readonly outputBytes: number;
  readonly errors: string;
};

const outputMax = 256 * 1024;
const kibibyte = 1024;

/** macOS knows no such bound; the time bound holds there too. */
const bounded = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"';

/** Rejects only when the program could not be started at all: that is our failure, not the file's. */
export async function runBounded(
  command: string,
  args: readonly string[],
  { timeoutMs, memoryBytes }: Bounds,
): Promise<Ended> {
  const limit = String(Math.floor(memoryBytes / kibibyte));
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', limit, command, ...args], {
    env: { PATH: pathOfPrograms, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that nothing it started outlives it.
    detached: true,
  });
  let isLate = false;
  const killAll = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended by itself in the meantime.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    killAll();
  }, timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  try {
    const code = await promise;
    if (code === programMissing) throw new Error(`${command} is not installed: ${errors.text()}`);
    const outputBytes = output.bytes();
    return { code, isLate, output: output.text(), outputBytes, errors: errors.text() };
  } finally {
    clearTimeout(timer);
    killAll();
  }
}

const pathOfPrograms = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';
/** What a shell answers for a command it does not find. */
const programMissing = 127;

/** Keeps the beginning of what it says; the rest is read and counted, so that it is never blocked. */
function collect(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < outputMax) chunks.push(chunk.subarray(0, outputMax - bytes));
    bytes += chunk.length;
  });
  return { text: () => Buffer.concat(chunks).toString(), bytes: () => bytes };
}
