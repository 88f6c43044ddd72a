// A simulated capture per seed, and the false statements of its diagnosis, for the whole capture and for parts of it.
import { falseCauses, payload, type Way } from './judge.js';
import { Random } from './random.js';
import { Simulation, tapped, type OnPath, type Path } from './simulation.js';
import { diagnose, goodBytes } from './traffic.js';

/** Captures of the tap and of both ends, for the connections that a seed makes. */
export function simulated(
  seed: number,
  more: Partial<Path> = {},
): { ways: Way<OnPath>[]; lossBefore: boolean } {
  const random = new Random(seed >>> 0);
  const loss = () => random.pick([0, 0, 5, 20, 50]);
  const path = {
    before: loss(),
    behind: loss(),
    way: random.pick([1, 2, 2, 10, 40]),
    most: random.pick([3, 12, 12, 60, 150]),
    pace: random.pick([300, 1000, 1000, 4000]),
    ...more,
  };
  const all = Array.from({ length: random.pick([1, 1, 2, 3]) }, (_, k) => {
    const base = random.pick([0xfffff0, 5, random.below(1 << 24)]) + k * 1_000_000;
    return new Simulation(random, path, base, [0x11 + k, 0x22 + k], 40 + random.below(60)).wire;
  }).flat();
  const whole = tapped(all);
  const ends = all
    .flatMap((one) => [
      { ...one, t: one.atA, interfaceId: 0 },
      { ...one, t: one.atB, interfaceId: 1 },
    ])
    .filter(({ t }) => t >= 0)
    .sort((x, y) => x.t - y.t);
  // The clock of the second end is wrong by more than the transit time.
  const wrong = random.pick([-1, 1]) * (2 * path.way * 1000 + 5000 + random.below(1_000_000));
  const apart = ends
    .map((one) => (one.interfaceId === 1 ? { ...one, t: one.t + wrong } : one))
    .sort((x, y) => x.t - y.t);
  const earliest = Math.min(...apart.map(({ t }) => t));
  return {
    ways: [
      ['whole', whole],
      ['from the middle', whole.slice(random.below(whole.length))],
      ['requests only', whole.filter(({ by }) => by === 'a')],
      ['answers only', whole.filter(({ by }) => by === 'b')],
      ['cut', whole, 28 + random.below(40)],
      ['both ends', ends],
      ['both ends, clocks apart', apart.map((one) => ({ ...one, t: one.t - earliest }))],
    ],
    lossBefore: path.before > 0,
  };
}

/** Returns each false statement about the captures of a seed, with the seed and the name of the capture. */
export function falseStatements(seed: number, more: Partial<Path> = {}): string[] {
  const { ways, lossBefore } = simulated(seed, more);
  return ways.flatMap(([name, capture, snap]) => {
    if (capture.length === 0) return [];
    const diagnosis = diagnose(capture, snap);
    const wrong = falseCauses(diagnosis, capture);
    if (name === 'whole') {
      const [good, right] = [goodBytes(diagnosis), payload(capture)];
      if (good !== right) wrong.push(`${good} bytes of payload instead of ${right}`);
      const again = capture.filter(({ by, why }) => by === 'a' && why !== 'new').length;
      const { retransmissions } = diagnosis.counts;
      if (!lossBefore && !more.copied && !more.late && retransmissions !== again)
        wrong.push(`${retransmissions} packets sent again instead of ${again}`);
    }
    return wrong.map((text) => `seed ${seed >>> 0}, ${name}: ${text}`);
  });
}
