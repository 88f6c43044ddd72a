// The device of this checkout beside that of an earlier revision of git, over both links: npm run bench -- builds REVISION
import { over } from './device/measures.js';
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

const row =
  (link: Link, what: string, unit: string, of: (device: Measured) => () => Promise<number>, target: Target) =>
  async () => {
    const library = await earlier();
    const name = `${link}: ${what}, this checkout against ${revision}`;
    return paired(name, unit, pairs, of(over(link)), of(over(link, library)), target);
  };

const casesOver = (link: Link): Cases => ({
  [`${link}-write-4k`]: row(link, 'WRITE 4 KiB', 'Gb/s', ({ write }) => write['4k'], SAME.rate),
  [`${link}-write-64k`]: row(link, 'WRITE 64 KiB', 'Gb/s', ({ write }) => write['64k'], SAME.rate),
  [`${link}-write-1m`]: row(link, 'WRITE 1 MiB', 'Gb/s', ({ write }) => write['1m'], SAME.rate),
  [`${link}-read-64k`]: row(link, 'READ 64 KiB', 'Gb/s', ({ op }) => op('read', 65_536), SAME.rate),
  [`${link}-send-64k`]: row(link, 'SEND 64 KiB', 'Gb/s', ({ op }) => op('send', 65_536), SAME.rate),
  [`${link}-small-list`]: row(
    link,
    'WRITE 64 B in post lists of 32',
    'M/s',
    ({ smallList }) => smallList,
    SAME.rate,
  ),
  [`${link}-ping-poll`]: row(
    link,
    'SEND 2 B ping-pong, ends that poll (median round trip)',
    'us',
    ({ pingPolling }) => pingPolling,
    SAME.time,
  ),
});

await runCases({ ...casesOver('shm'), ...casesOver('udp') }, chosen);
