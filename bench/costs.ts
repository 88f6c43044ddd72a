// Costs of the embedded device apart from moving data: registration, queue pairs, connections, idling, and checksum.
import { benchOptions, figureRow, pairedRow, runCases, type Cases, type Row } from './lib/paired.js';
import { perftest, type PerftestFigure } from './lib/perftest.js';
import { noPerf, profile, type Profile } from './lib/profile.js';
import { connections, queuePairs, registration } from './lib/vlcost.js';
import { vlloopBoth } from './lib/vlloop.js';

const { pairs, ...chosen } = benchOptions(5);
const MIB = 1024 * 1024;

const repeated = async (measure: () => Promise<number>): Promise<number[]> => {
  const values: number[] = [];
  for (let run = 0; run < pairs; run++) values.push(await measure());
  return values;
};

const writeLatency = (figure: PerftestFigure) =>
  repeated(() => perftest('ib_write_lat', ['-s', '2', '-n', '20000'], figure));

/** The median of `pairs` processes with this many queue pairs each. */
const ofQueuePairs = (figure: 'createUs' | 'connectUs' | 'bytesPerQp') =>
  repeated(async () => (await queuePairs(1024, 0.001))[figure]);

const CHECKSUM = /crc32|crc_update|crc_copy/;
const COPY = /^(__)?mem(cpy|move|set)/;
const share = ({ symbols }: Profile, of: (symbol: Profile['symbols'][number]) => boolean) =>
  symbols.filter(of).reduce((sum, symbol) => sum + symbol.share, 0);

let profiles: { end: string; profile: Profile }[] = [];

/** Copying and checksumming in user space, of all that an end does while 64 KiB WRITEs stream. */
async function checksumAndCopy(end: 'client' | 'server'): Promise<number> {
  const watch: { found?: Promise<Profile> } = {};
  await vlloopBoth('rdma', ['--op', 'write', '-s', '65536', '-D', '2', '--omit', '0.2'], {
    serverOptions: ['--busy'],
    started: (pids) => {
      watch.found = profile(pids[end], 1);
      watch.found.catch(() => undefined); // awaited below
    },
  });
  if (!watch.found) throw new Error('the loop ended before it could be watched');
  const found = await watch.found;
  profiles.push({ end, profile: found });
  return share(found, ({ name, kernel }) => !kernel && (CHECKSUM.test(name) || COPY.test(name)));
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

/** The last profile of an end, by kind and by symbol. */
function explained(end: string): string {
  const last = profiles.filter((each) => each.end === end).at(-1);
  if (!last) return 'no profile';
  const parts = [
    ['checksum', share(last.profile, ({ name, kernel }) => !kernel && CHECKSUM.test(name))],
    ['copy', share(last.profile, ({ name, kernel }) => !kernel && COPY.test(name))],
    ['kernel', share(last.profile, ({ kernel }) => kernel)],
  ] as const;
  const top = last.profile.symbols.slice(0, 8).map(({ name, share: part }) => `${name} ${percent(part)}`);
  return `${parts.map(([name, part]) => `${name} ${percent(part)}`).join(', ')}; most: ${top.join(', ')}`;
}

const shareRow = (end: 'client' | 'server') => async (): Promise<Row> => {
  const why = noPerf();
  if (why !== undefined) throw new Error(`${why}; without it the share of the checksum cannot be measured`);
  profiles = [];
  return figureRow(
    `Checksum and copy, share of the ${end === 'client' ? 'initiator' : 'target'}'s CPU time, WRITE 64 KiB`,
    'of 1',
    await repeated(() => checksumAndCopy(end)),
    { atMost: 0.25 },
  );
};

const registrationRow = (name: string, bytes: number) => async (): Promise<Row> => {
  const { regUs } = await registration(bytes, 200);
  return figureRow(`ibv_reg_mr of ${name}, pages present`, 'us', regUs);
};

const cases: Cases<Row> = {
  'reg-1g': async () => {
    const { regUs, mlockUs } = await registration(1024 * MIB, pairs);
    return pairedRow('ibv_reg_mr of 1 GiB against mlock on the same pages', 'us', regUs, mlockUs, {
      atMost: 1.2,
    });
  },
  'reg-4k': registrationRow('4 KiB', 4096),
  'reg-1m': registrationRow('1 MiB', MIB),
  'qp-create': async () =>
    figureRow('ibv_create_qp (RC, 128 + 128 WRs)', 'us', await ofQueuePairs('createUs')),
  'qp-connect': async () =>
    figureRow('ibv_modify_qp from RESET to RTS', 'us', await ofQueuePairs('connectUs')),
  'qp-memory': async () =>
    figureRow(
      'Resident memory of an idle connected QP (128 + 128 WRs)',
      'B',
      await ofQueuePairs('bytesPerQp'),
      {
        atMost: 16 * 1024,
      },
    ),
  'cm-connect': async () =>
    figureRow(
      'Connection by rdma_cm, from rdma_create_id to ESTABLISHED (median of 200)',
      'us',
      await repeated(async () => (await connections(200)).p50Us),
    ),
  idle: async () =>
    figureRow(
      'CPU of a device with 64 idle connected QPs, share of one core',
      'of 1',
      await repeated(async () => (await queuePairs(64, 2)).idleCpu),
      { atMost: 0.001 },
    ),
  'write-lat': async () =>
    figureRow('ib_write_lat 2 B, typical', 'us', await writeLatency('typicalUs'), { atMost: 15 }),
  'write-lat-p99': async () =>
    figureRow('ib_write_lat 2 B, 99 %', 'us', await writeLatency('p99Us'), { atMost: 100 }),
  'share-initiator': shareRow('client'),
  'share-target': shareRow('server'),
};

await runCases(cases, chosen, (name, row) => {
  if (!name.startsWith('share-')) return { row };
  return { row, remark: explained(name === 'share-initiator' ? 'client' : 'server') };
});
