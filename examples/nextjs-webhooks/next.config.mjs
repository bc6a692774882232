import { join } from 'node:path';

export default {
  // Only in this repository, where the SDK is TypeScript. The package on npm is JavaScript.
  transpilePackages: ['@tonearm/sdk'],
  turbopack: { root: join(import.meta.dirname, '..', '..') },
};
