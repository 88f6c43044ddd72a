// A WRITE stream while another process floods its target with packets that the device turns down.
// The comparison is the same flood at a socket for which the kernel drops them: on few cores, sending a flood costs the
// most.
import { urocePath } from '@verbslab/native';
import { benchOptions, paired, runCases, spread, three, type Cases } from './lib/paired.js';
import { flooded, type Flood } from './lib/vlflood.js';
import type { LoopFigures } from './lib/vlloop.js';

const { pairs, ...chosen } = benchOptions();
/** FLOOD_DEVICE=PATH measures another build of the device (a liburoce.so), to compare before and after. */
const library = process.env.FLOOD_DEVICE ?? urocePath;

const SECONDS = ['-D', '1', '--omit', '0.2'];
const streams = {
  '64k': {
    name: 'WRITE 64 KiB',
    unit: 'Gb/s',
    options: ['-s', '65536', ...SECONDS],
    of: (f: LoopFigures) => f.goodputGbps,
  },
  small: {
    name: 'WRITE 64 B in post lists of 32',
    unit: 'M/s',
    options: ['-s', '64', '-l', '32', '-t', '512', '-Q', '128', ...SECONDS],
    of: (f: LoopFigures) => f.messagesPerSecond / 1e6,
  },
} as const;
const floods = {
  header: { name: '50,000 header-only packets per second', rate: 50_000, mix: 'header' },
  mixed: { name: '150,000 mixed packets per second', rate: 150_000, mix: 'mixed' },
} satisfies Record<string, Flood & { name: string }>;

let reached: number[] = [];
let alone: number[] = [];

const cases: Cases = Object.fromEntries(
  Object.entries(floods).flatMap(([mix, flood]) =>
    Object.entries(streams).map(([size, { name, unit, options, of }]) => {
      const rate = async (by?: Flood) =>
        of(await flooded(by, ['--op', 'write', ...options], library, (packets) => reached.push(packets)));
      return [
        `${mix}-${size}`,
        async () => {
          reached = [];
          alone = [];
          const title = `${name} under ${flood.name} against the same flood dropped by the kernel`;
          const target = async () => {
            alone.push(await rate());
            return rate(flood);
          };
          return paired(title, unit, pairs, target, () => rate({ ...flood, sink: true }));
        },
      ];
    }),
  ),
);

await runCases(cases, chosen, (_, row) => {
  const { median, min } = spread(reached);
  return {
    row,
    remark: `without a flood ${three(spread(alone).median)} ${row.unit}; the flood reached ${Math.round(median)} packets per second (least ${Math.round(min)})`,
  };
});
