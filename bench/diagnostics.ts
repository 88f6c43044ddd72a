// Costs of stamps, the misuse report and the feed to the dashboard: switched off, and of a program that is shown.
import { newHome, removeHome, startAgent, verbslab } from '../e2e/lib/agent.js';
import { benchOptions, paired, runCases, type Cases, type Target } from './lib/paired.js';
import { perftest, type PerftestFigure, type PerftestSetup } from './lib/perftest.js';
import { builtWith } from './lib/variant.js';
import { vlloop, type LoopFigures } from './lib/vlloop.js';

const { pairs, ...chosen } = benchOptions(15);

let variant: Promise<string> | undefined;
const without = () => (variant ??= builtWith('without-diagnostics', ['-DVERBSLAB_DIAGNOSTICS=OFF']));

/** The product with everything switched off against a build that has none of it. */
const off = (
  what: string,
  unit: string,
  of: (figures: LoopFigures) => number,
  options: string[],
  target: Target,
) => {
  const words = [...options, '-D', '1', '--omit', '0.2'];
  return async () => {
    const library = await without();
    return paired(
      `${what}: diagnostics off against a build without them`,
      unit,
      pairs,
      async () => of(await vlloop('rdma', words)),
      async () => of(await vlloop('rdma', words, { library })),
      target,
    );
  };
};

/** perftest's programs as live runs of an agent against the same with the device alone. Nothing is promised. */
const shown = (program: string, unit: string, figure: PerftestFigure, options: string[]) => async () => {
  const home = newHome();
  const agent = await startAgent(home);
  const watched: PerftestSetup = {
    under: [process.execPath, verbslab, 'exec', '--'],
    env: { ...process.env, VERBSLAB_HOME: home },
  };
  const measure = (setup?: PerftestSetup) => perftest(program, options, figure, setup);
  try {
    return await paired(
      `${program} ${options.join(' ')}: shown in the dashboard against not`,
      unit,
      pairs,
      () => measure(watched),
      () => measure(),
    );
  } finally {
    await agent.stop();
    removeHome(home);
  }
};

const gbps = ({ goodputGbps }: LoopFigures) => goodputGbps;
const millions = ({ messagesPerSecond }: LoopFigures) => messagesPerSecond / 1e6;
const microseconds = ({ latencyUs }: LoopFigures) => latencyUs.p50;
const LIST = ['--op', 'write', '-s', '64', '-l', '32', '-t', '512', '-Q', '128'];

const cases: Cases = {
  'off-list': off('WRITE 64 B in post lists of 32', 'M/s', millions, LIST, { atLeast: 0.98 }),
  'off-bulk': off('WRITE 64 KiB', 'Gb/s', gbps, ['--op', 'write', '-s', '65536'], { atLeast: 0.98 }),
  'off-ping': off(
    'SEND 2 B ping-pong (median round trip)',
    'us',
    microseconds,
    ['--op', 'send', '--lat', '-s', '2'],
    { atMost: 1.02 },
  ),
  'shown-bulk': shown('ib_write_bw', 'Gb/s', 'averageGbps', ['-s', '65536', '-D', '2', '--report_gbits']),
  'shown-ping': shown('ib_write_lat', 'us', 'typicalUs', ['-s', '2', '-n', '50000']),
};

await runCases(cases, chosen);
