/**
 * Runs a program that reads hostile files: bounded in time, memory and output, with an empty environment and no standard
 * input. A crash ends only the program. If something else stopped it, the file is not blamed.
 */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { unsharePrefix, withoutNetwork } from './no-network.ts';

export type Bounds = {
  readonly timeoutMs: number;
  /** Of address space, if the system can limit it. */
  readonly memoryBytes: number;
  /** Aborted when the result is not needed any more. */
  readonly signal: AbortSignal;
};

export type ProgramResult = {
  /** Null if it crashed or ran out of time. */
  readonly code: number | null;
  /** The first 256 KiB. */
  readonly output: string;
  readonly errors: string;
};

const outputMax = 256 * 1024;
const kibibyte = 1024;
/** Processors that its threads may use at once: the time-out comes before the limit of processor time. */
const processorsMax = 8;

/** Address space (macOS has no such limit), and processor time, which holds even if this process has died. */
const limits = 'ulimit -v "$1" 2>/dev/null; ulimit -t "$2"; shift 2;';
const plain = `${limits} exec "$@"`;

/**
 * Prints the exit status, then the length and the SHA-256 of the output: gigabytes need not pass through this process.
 * A second process of Node reads them, because not every system has a program that does both. It is outside the limit of
 * address space, of which Node reserves far more than it uses.
 */
const digesting = `node=$1 digest=$2; shift 2; exec 3>&1; { (${limits} exec "$@") 3>&-; echo "$?" >&3; } | "$node" -e "$digest"`;

/** Given as text: Node takes three times as long to load a file of TypeScript. */
const printDigest = `
  const hash = require('node:crypto').createHash('sha256');
  const chunk = Buffer.allocUnsafe(64 * 1024);
  let bytes = 0;
  for (let read; (read = require('node:fs').readSync(0, chunk)) > 0; bytes += read) {
    hash.update(chunk.subarray(0, read));
  }
  console.log(bytes, hash.digest('hex'));`;

/** With few processors, requests and short steps come first; files can wait. */
const lowPriority = ['nice', '-n', '10'];

/** Rejects if the program was stopped for a reason that is not the file's. */
export async function runBounded(
  command: string,
  args: readonly string[],
  bounds: Bounds,
): Promise<ProgramResult> {
  const { exit, isLate, output, errors } = await runScript([plain, 'sh'], command, args, bounds);
  const isExternal = wasStopped(exit) || errors.startsWith(unsharePrefix);
  if (!isLate && isExternal) throw stopped(command, exit, errors);
  return { code: exit.code, output, errors };
}

type Digested = Pick<ProgramResult, 'code'> & {
  readonly outputBytes: number;
  readonly outputSha256: string;
};

/** As `runBounded`, for a program of whose output only the length and the SHA-256 matter. */
export async function digestBounded(
  command: string,
  args: readonly string[],
  bounds: Bounds,
): Promise<Digested> {
  const words = [digesting, 'sh', process.execPath, printDigest];
  const script = await runScript(words, command, args, bounds);
  if (script.isLate) return { code: null, outputBytes: 0, outputSha256: '' };
  const [status, outputBytes, outputSha256] = script.output.trim().split(/\s+/);
  const isDigested = script.exit.code === 0 && outputSha256 !== undefined;
  const exit = isDigested ? exitOf(Number(status)) : script.exit;
  if (!isDigested || wasStopped(exit)) throw stopped(command, exit, script.errors);
  return { code: exit.code, outputBytes: Number(outputBytes), outputSha256 };
}

const stopped = (command: string, { by, code }: Exit, errors: string) =>
  new Error(`${command} was stopped (${by ?? code}): ${errors}`);

const signalBase = 128;
const signalNames = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** From a shell's status: 128 plus the signal's number if a signal ended the program. */
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

/** `script` is the text of the script, its name, and arguments before those of every script. */
async function runScript(
  script: readonly string[],
  command: string,
  args: readonly string[],
  { timeoutMs, memoryBytes, signal }: Bounds,
): Promise<Script> {
  signal.throwIfAborted();
  const memory = String(Math.floor(memoryBytes / kibibyte));
  const seconds = String(Math.ceil((timeoutMs / 1_000) * processorsMax));
  const words = [...lowPriority, '/bin/sh', '-c', ...script, memory, seconds, command, ...args];
  const [program = '', ...rest] = [...(await withoutNetwork()), ...words];
  signal.throwIfAborted();
  const child = spawn(program, rest, {
    env: { PATH: pathOfPrograms, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A new process group, so that nothing it started outlives it.
    detached: true,
  });
  let isLate = false;
  const killAll = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
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

/** A shell's status for a program that it cannot run or find, and ffmpeg's after SIGTERM. */
const stoppedCodes = new Set([126, 127, 255]);
const stopSignals = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** Terminated, killed (out of memory), or not installed. A crash is the file's. */
const wasStopped = ({ code, by }: Exit): boolean =>
  stoppedCodes.has(code ?? 0) || stopSignals.has(by ?? '');

const pathOfPrograms = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** Keeps the beginning of the output; reads the rest, so that the program is never blocked. */
function collect(stream: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < outputMax) chunks.push(chunk.subarray(0, outputMax - bytes));
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).toString();
}
