/** Finds the top-level boxes of an MP4 file, each with a length and a name. */

type Box = { readonly name: string; readonly at: number; readonly length: number };

function boxes(mp4: Buffer): readonly Box[] {
  const found: Box[] = [];
  for (let at = 0; at + 8 <= mp4.length;) {
    const length = mp4.readUInt32BE(at);
    found.push({ name: mp4.toString('latin1', at + 4, at + 8), at, length });
    // Lengths 0 and 1 mean "to the end" and "64 bits": ffmpeg writes neither into files this small.
    at += Math.max(length, 8);
  }
  return found;
}

export function boxNamed(mp4: Buffer, name: string): Box {
  const box = boxes(mp4).find((candidate) => candidate.name === name);
  if (box === undefined) throw new Error(`no ${name} box in ${mp4.length} bytes`);
  return box;
}
