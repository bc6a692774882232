/**
 * Reads one image to its end and says what it is, as JSON. A program of its own: a decoder that a hostile
 * file brings down, or makes eat all memory, takes nobody with it.
 */
import sharp from 'sharp';

/** The decoder refuses the file; any other failure is this program's own. */
const refusedCode = 3;

const [path = '', pixelsMax = ''] = process.argv.slice(2);
sharp.cache(false);
sharp.concurrency(1);

const image = sharp(path, {
  failOn: 'error',
  limitInputPixels: Number(pixelsMax),
  sequentialRead: true,
});
try {
  const { format, width, height, space, depth, channels } = await image.metadata();
  // Every pixel is decoded; a file that is cut off fails here.
  await image.stats();
  process.stdout.write(JSON.stringify({ format, width, height, space, depth, channels }));
} catch (error) {
  process.stderr.write(String(error));
  process.exitCode = refusedCode;
}
