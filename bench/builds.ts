// The device of this checkout beside that of an earlier revision of git, over both links: npm run bench -- builds REVISION
import { KIB, over } from './device/measures.js';
import { benchOptions, paired, runCases, type Cases, type Target } from './lib/paired.js';
import { builtAt } from './lib/variant.js';
import type { Link } from './lib/vlloop.js';

const {
  pairs,
  words: [revision = ''],
  ...chosen
} = benchOptions(7, ['the revision of git to compare with']);

/** What a machine like ours repeats. */
const SAME = { rate: { atLeast: 0.97 }, time: { atMost: 1.03 } } as const;

let built: Promise<string> | undefined;
const earlier = () => (built ??= builtAt(revision));

type Measured = ReturnType<typeof over>;

interface Row {
  what: string;
  unit: string;
  of: (device: Measured) => () => Promise<number>;
  target: Target;
}

const rate = (what: string, of: Row['of'], unit = 'Gb/s'): Row => ({ what, unit, of, target: SAME.rate });

const ROWS: Readonly<Record<string, Row>> = {
  'write-4k': rate('WRITE 4 KiB', ({ write }) => write['4k']),
  'write-64k': rate('WRITE 64 KiB', ({ write }) => write['64k']),
  'write-1m': rate('WRITE 1 MiB', ({ write }) => write['1m']),
  'read-64k': rate('READ 64 KiB', ({ op }) => op('read', 64 * KIB)),
  'send-64k': rate('SEND 64 KiB', ({ op }) => op('send', 64 * KIB)),
  'small-list': rate('WRITE 64 B in post lists of 32', ({ smallList }) => smallList, 'M/s'),
  'ping-poll': {
    what: 'SEND 2 B ping-pong, ends that poll (median round trip)',
    unit: 'us',
    of: ({ pingPolling }) => pingPolling,
    target: SAME.time,
  },
};

const casesOver = (link: Link): Cases =>
  Object.fromEntries(
    Object.entries(ROWS).map(([id, { what, unit, of, target }]) => [
      `${link}-${id}`,
      async () => {
        const library = await earlier();
        const name = `${link}: ${what}, this checkout against ${revision}`;
        return paired(name, unit, pairs, of(over(link)), of(over(link, library)), target);
      },
    ]),
  );

await runCases({ ...casesOver('shm'), ...casesOver('udp') }, chosen);
