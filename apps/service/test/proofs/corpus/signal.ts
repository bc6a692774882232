/** Generates samples and pixels that compress like real ones and are the same in every run. */

/** A linear congruential generator: quality does not matter here, repeatability does. */
export function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A tone with noise, between -1 and 1. In a file of long equal runs, such as a pure tone, the decoder may not notice a
 * cut or a flipped bit.
 */
export function tone(samples: number, rateHz: number): Float64Array {
  const random = noise(samples + rateHz);
  const step = (2 * Math.PI * 440) / rateHz;
  return Float64Array.from(
    { length: samples },
    (_, at) => 0.5 * Math.sin(step * at) + 0.2 * (random() - 0.5),
  );
}

/** RGB rows of a gradient with a little noise. */
export function picture(width: number, height: number, grain = 16): Buffer {
  const random = noise(width * height);
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) {
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    const shade = random() * grain;
    pixels[at] = (x / width) * 200 + shade;
    pixels[at + 1] = (y / height) * 200 + shade;
    pixels[at + 2] = 120 + shade;
  }
  return pixels;
}
