// After `next build`: leaves out what no browser loads, and puts every text file of out/ in brotli and gzip beside it,
// for the agent to send as it is.
import { readdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const out = join(import.meta.dirname, 'out');
const list = () => readdirSync(out, { recursive: true });

/** Next's polyfills for browsers without ES modules, which cannot run its other scripts. */
const POLYFILLS = /<script src="([^"]+)" noModule=""><\/script>/g;

const polyfills = new Set();
await Promise.all(
  list()
    .filter((name) => name.endsWith('.html'))
    .map(async (name) => {
      const path = join(out, name);
      const html = await readFile(path, 'utf8');
      for (const [, src] of html.matchAll(POLYFILLS)) polyfills.add(src);
      await writeFile(path, html.replaceAll(POLYFILLS, ''));
    }),
);
if (polyfills.size === 0)
  throw new Error('Next no longer writes a noModule script: take its removal out of here');
await Promise.all([...polyfills].map((src) => rm(join(out, src))));

const TEXT = new Set(['.html', '.js', '.css', '.txt', '.json', '.svg']);
/** Bytes that fit one TCP segment; less is not worth a file. */
const LEAST = 1400;

const packers = {
  '.br': (data) =>
    promisify(brotliCompress)(data, {
      params: {
        // The highest, 11, takes twenty times as long for a tenth less, and these travel from this host to itself.
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
      },
    }),
  '.gz': (data) => promisify(gzip)(data, { level: constants.Z_BEST_COMPRESSION }),
};

await Promise.all(
  list()
    .filter((name) => TEXT.has(extname(name)))
    .map(async (name) => {
      const path = join(out, name);
      const data = await readFile(path);
      if (data.length < LEAST) return;
      await Promise.all(
        Object.entries(packers).map(async ([suffix, pack]) => {
          // An agent that serves this folder meanwhile finds a whole file or none.
          const part = `${path}${suffix}.part`;
          await writeFile(part, await pack(data));
          await rename(part, path + suffix);
        }),
      );
    }),
);
