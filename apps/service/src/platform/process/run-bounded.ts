/**
 * Runs a program that reads hostile files: bounded in time, memory and output, with an empty environment
 * and no standard input. Whatever it does, only it dies; and what others do to it is not blamed on the file.
 */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { unsharePrefix, withoutNetwork } from './no-network.ts';

export type Bounds = {
  readonly timeoutMs: number;
  /** Of address space, where the system can bound it. */
  readonly memoryBytes: number;
  /** Nobody waits for it any more. */
  readonly signal: AbortSignal;
};

export type ProgramResult = {
  /** Null when it crashed, or was killed for its time. */
  readonly code: number | null;
  /** The beginning of what it said. */
  readonly output: string;
  readonly errors: string;
};

const outputMax = 256 * 1024;
const kibibyte = 1024;
/** Its threads may use so many at once: the clock stops it first, as long as there is somebody to watch it. */
const processorsMax = 8;

/**
 * Of address space where the system knows such a bound, which macOS does not; and of processor time, which
 * holds even when nobody is left to stop it.
 */
const limits = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2"; shift 2;';
const plain = `${limits} exec "$@"`;
/** Says how the program ended, then how many bytes it wrote: gigabytes need not pass through this process. */
const counting = `${limits} exec 3>&1; { "$@" 3>&-; echo "$?" >&3; } | wc -c`;

/** Files can wait: where processors are few, requests and short steps come first. */
const givingWay = ['nice', '-n', '10'];

/** Rejects when it could not run to its end for reasons that are not the file's. */
export async function runBounded(
  command: string,
  args: readonly string[],
  bounds: Bounds,
): Promise<ProgramResult> {
  const { exit, isLate, output, errors } = await runScript(plain, command, args, bounds);
  const isOurs = isOthersDoing(exit) || errors.startsWith(unsharePrefix);
  if (!isLate && isOurs) throw stopped(command, exit, errors);
  return { code: exit.code, output, errors };
}

type Counted = Pick<ProgramResult, 'code'> & { readonly outputBytes: number };

/** As `runBounded`, for a program whose output matters by its length alone. */
export async function countBounded(
  command: string,
  args: readonly string[],
  bounds: Bounds,
): Promise<Counted> {
  const script = await runScript(counting, command, args, bounds);
  if (script.isLate) return { code: null, outputBytes: 0 };
  const [status, outputBytes] = script.output.trim().split(/\s+/).map(Number);
  const hasCounted = script.exit.code === 0 && status !== undefined && outputBytes !== undefined;
  const exit = hasCounted ? exitOf(status) : script.exit;
  if (!hasCounted || isOthersDoing(exit)) throw stopped(command, exit, script.errors);
  return { code: exit.code, outputBytes };
}

const stopped = (command: string, { by, code }: Exit, errors: string) =>
  new Error(`${command} was stopped (${by ?? code}): ${errors}`);

const signalBase = 128;
const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** As a shell says it: 128 and the signal's number, where a signal ended the program. */
function exitOf(status: number): Exit {
  const by = signalNames.get(status - signalBase) ?? null;
  return { code: by === null ? status : null, by };
}

type Script = {
  readonly exit: Exit;
  readonly isLate: boolean;
  readonly output: string;
  readonly errors: string;
};

async function runScript(
  script: string,
  command: string,
  args: readonly string[],
  { timeoutMs, memoryBytes, signal }: Bounds,
): Promise<Script> {
  signal.throwIfAborted();
  const memory = String(Math.floor(memoryBytes / kibibyte));
  const seconds = String(Math.ceil((timeoutMs / 1_000) * processorsMax));
  const words = [...givingWay, '/bin/sh', '-c', script, 'sh', memory, seconds, command, ...args];
  const [program = '', ...rest] = [...(await withoutNetwork()), ...words];
  signal.throwIfAborted();
  const child = spawn(program, rest, {
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
  signal.addEventListener('abort', killAll, { once: true });
  const { promise, resolve, reject } = Promise.withResolvers<Exit>();
  child.once('error', reject);
  child.once('close', (code, by) => resolve({ code, by }));
  promise.catch(() => undefined);
  try {
    const [output, errors] = [collect(child.stdout), collect(child.stderr)];
    const exit = await promise;
    signal.throwIfAborted();
    return { exit, isLate, output: output(), errors: errors() };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', killAll);
    killAll();
  }
}

type Exit = { readonly code: number | null; readonly by: NodeJS.Signals | null };

/** What a shell answers for a program it cannot run or find, and ffmpeg when it is told to leave. */
const stoppedCodes = new Set([126, 127, 255]);
const stopSignals = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** Told to leave, killed for the machine's memory, or not there. A crash is the file's. */
const isOthersDoing = ({ code, by }: Exit): boolean =>
  stoppedCodes.has(code ?? 0) || stopSignals.has(by ?? '');

const pathOfPrograms = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Keeps the beginning of what it says; the rest is read, so that it is never blocked. */
function collect(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < outputMax) chunks.push(chunk.subarray(0, outputMax - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}
