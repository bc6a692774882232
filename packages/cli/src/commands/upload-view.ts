/** Progress bars of several uploads: one line each, redrawn in place. */

import type { UploadProgress } from '@tonearm/sdk';
import type { LiveRegion } from '../output/live-region.ts';
import type { Output } from '../output/output.ts';
import { safeText } from '../output/safe-text.ts';
import { progressBar } from '../output/sparkline.ts';
import { paintStatus, symbolOf } from '../output/status.ts';
import { pad, truncate } from '../output/text-width.ts';
import { sizeText } from '../output/units.ts';

type UploadState = 'pending' | 'uploading' | 'examining' | 'ready' | 'failed';

type Line = {
  readonly name: string;
  readonly totalBytes: number;
  state: UploadState;
  sentBytes: number;
  begunMs: number | undefined;
  note: string;
};

const nameColumnsMax = 28;
const barColumnsMax = 24;
const frameMs = 100;

const symbols: Readonly<Record<UploadState, string>> = {
  pending: 'pending',
  uploading: 'in_progress',
  examining: 'processing',
  ready: 'ready',
  failed: 'failed',
};

/** What is being done right now: `7.1 MB/s`, `examined`, `ready`. */
function noteOf(line: Line): string {
  if (line.state !== 'uploading' || line.begunMs === undefined) return line.note;
  const seconds = (performance.now() - line.begunMs) / 1_000;
  return seconds < 0.5 ? '' : `${sizeText(line.sentBytes / seconds)}/s`;
}

function lineText({ columns, palette }: Output, line: Line, nameColumns: number): string {
  const share = line.totalBytes === 0 ? 1 : line.sentBytes / line.totalBytes;
  const name = pad(truncate(safeText(line.name), nameColumns), nameColumns, 'left');
  // Symbol, name, per cent, size and note; the bar gets what remains.
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const size = sizeText(line.totalBytes).padStart(8);
  const note = safeText(noteOf(line));
  const room = columns - nameColumns - percent.length - size.length - Math.max(note.length, 12) - 8;
  const bar = progressBar(share, Math.max(0, Math.min(barColumnsMax, room)));
  const text = truncate(
    `${symbolOf(symbols[line.state])} ${name}  ${bar} ${percent} ${size}  ${note}`,
    columns,
  );
  return paintStatus(palette, symbols[line.state], text.trimEnd());
}

export type UploadView = {
  readonly progress: (name: string, progress: UploadProgress) => void;
  readonly done: (name: string, note: string) => void;
  readonly failed: (name: string, note: string) => void;
  /** Leaves the bars on the screen. */
  readonly end: () => void;
};

export function createUploadView(
  output: Output,
  files: readonly { readonly name: string; readonly sizeBytes: number }[],
): UploadView {
  const lines = new Map<string, Line>(
    files.map(({ name, sizeBytes }) => [
      name,
      {
        name,
        totalBytes: sizeBytes,
        state: 'pending',
        sentBytes: 0,
        begunMs: undefined,
        note: 'waits',
      },
    ]),
  );
  const longest = Math.max(...files.map(({ name }) => name.length));
  const nameColumns = Math.min(
    nameColumnsMax,
    longest,
    Math.max(8, Math.floor(output.columns / 3)),
  );
  const region: LiveRegion | undefined = output.isLive ? output.live() : undefined;
  const draw = () =>
    region?.draw([...lines.values()].map((line) => lineText(output, line, nameColumns)));
  // Parts report more often than eyes can follow.
  const timer = setInterval(draw, frameMs);
  const finish = (name: string, state: UploadState, note: string) => {
    const line = lines.get(name);
    if (line === undefined) return;
    Object.assign(line, { state, note, ...(state === 'ready' && { sentBytes: line.totalBytes }) });
    draw();
    if (region === undefined) output.line(lineText(output, line, nameColumns));
  };
  return {
    progress: (name, { phase, sentBytes }) => {
      const line = lines.get(name);
      if (line === undefined) return;
      line.begunMs ??= performance.now();
      Object.assign(line, {
        state: phase,
        sentBytes,
        note: phase === 'examining' ? 'is examined' : '',
      });
    },
    done: (name, note) => finish(name, 'ready', note),
    failed: (name, note) => finish(name, 'failed', note),
    end: () => {
      clearInterval(timer);
      draw();
      region?.end();
    },
  };
}
