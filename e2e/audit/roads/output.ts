// Output of a program, compared with the output of `verbslab exec` in the test's own pipe.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { commandOf } from '../program.js';

/** Bytes kept of the start of each stream, and as many of its end. */
const KEPT_BYTES = 256 * 1024;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

const MIB = 2 ** 20;

/** The row of perftest's table that begins with `size`: its cells, the table's heading, and true for rates in Gb/s. */
function perftestRow(
  printed: string,
  size?: string,
): { cells: number[]; gbits: boolean; heading: string } | null {
  const lines = printed.split('\n');
  const at = lines.findIndex((line) => line.trimStart().startsWith('#bytes'));
  const row = lines
    .slice(at + 1)
    .map((line) => line.trim().split(/\s+/))
    .find(([first]) => /^\d+$/.test(first ?? '') && (size === undefined || first === size));
  const heading = lines[at] ?? '';
  return row && at >= 0 ? { cells: row.map(Number), gbits: heading.includes('Gb/sec'), heading } : null;
}

const gbpsOf = (average: number, gbits: boolean): number => (gbits ? average : (average * MIB * 8) / 1e9);

/** Sentences about the figures of a line, and the check of each by its own arithmetic. */
const FIGURES: readonly {
  shape: RegExp;
  check: (claim: Claim, found: Record<string, string>, printed: string) => void;
}[] = [
  {
    shape: /^Average (?<gbps>[\d.]+) Gb\/s: (?<rate>[\d.]+) messages of (?<size>\d+) B per second\.$/,
    check(claim, { gbps, rate, size }, printed) {
      const row = perftestRow(printed, size);
      claim.figure(row && gbpsOf(row.cells[3]!, row.gbits), 'BW average of the row', gbps);
      claim.figure(row && row.cells[4]! * 1e6, 'MsgRate of the row', rate);
    },
  },
  {
    shape: /^One direction: (?<bytes>\d+) B at (?<gbps>[\d.]+) Gb\/s\.$/,
    check(claim, { bytes, gbps }, printed) {
      const [, all, mbit] = /^(\d+) bytes in [\d.]+ seconds = ([\d.]+) Mbit/m.exec(printed) ?? [];
      claim.equal(Number(all) / 2, 'half of the printed bytes', bytes);
      claim.figure(Number(mbit) / 2 / 1000, 'half of the printed rate', gbps);
    },
  },
  {
    shape: /^Half of it: (?<us>[\d.]+) µs\.$/,
    check(claim, { us }, printed) {
      const [, whole] = / = ([\d.]+) usec\/iter/.exec(printed) ?? [];
      claim.figure(Number(whole) / 2, 'half of the printed time', us);
    },
  },
  {
    shape:
      /^(?:Typical \(median\)|Average): (?<us>[\d.]+) µs(?:, so (?<both>[\d.]+) µs for the round trip)?\.$/,
    check(claim, { us, both }, printed) {
      const row = perftestRow(printed);
      const typical = row && row.cells[row.heading.includes('t_typical') ? 4 : 2]!;
      claim.figure(typical, 'the row', us);
      if (both !== undefined) claim.figure(typical && 2 * typical, 'twice the row', both);
    },
  },
];

export const OUTPUT: Roads<Evidence> = {
  'output-figures': (claim, { program }) => {
    const one = FIGURES.find(({ shape }) => shape.test(claim.text));
    if (!one) return claim.fail('a sentence with a road', 'none');
    one.check(claim, claim.match(one.shape), program!.printed);
  },
  'output-records': (claim, { program, data }) => {
    const { printed, recorded } = claim.match(
      /^The program’s average is (?<printed>[\d.]+) Gb\/s\. This run’s records say (?<recorded>[\d.]+) Gb\/s, from the first (?:post|completion) to the last completion\.$/,
    );
    const row = perftestRow(program!.printed);
    claim.figure(row && gbpsOf(row.cells[3]!, row.gbits), 'BW average of the row', printed);
    const { timedBytes, bytes, seconds } = data.run.result!.program!.work!;
    claim.figure(((timedBytes ?? bytes) * 8) / seconds! / 1e9, 'bytes and time of the result', recorded);
  },
  output: (claim, { program }) =>
    claim.holds(
      plain(program!.printed).includes(claim.text),
      'the pipe of the test',
      plain(program!.printed),
    ),
  'output-command': (claim, { data }) => {
    const { number } = claim.match(/^Command (?<number>\d+): /);
    const command = commandOf(data, Number(number) - 1);
    claim.equal(`Command ${number}: ${command}`, 'the command that the test ran');
  },
  'output-size': (claim, { program }) => {
    const { size } = claim.match(/^(?<size>.+) of stdout\.$/);
    claim.quantity(Buffer.byteLength(program!.printed), 'the pipe of the test', size);
  },
  'output-left-out': (claim, { program }) => {
    const { left, kept } = claim.match(
      /^(?<left>.+) of stdout left out here: the first and the last (?<kept>.+) are kept\.$/,
    );
    const printed = Buffer.byteLength(program!.printed);
    claim.quantity(KEPT_BYTES, 'docs/exec.md', kept);
    claim.quantity(printed - 2 * KEPT_BYTES, 'the pipe of the test, less what is kept', left);
    claim.equal(printed - 2 * KEPT_BYTES, 'the pipe of the test, less what is kept', claim.data('left-out'));
  },
  'output-time': (claim, { data }) => {
    const times = itemsOf(data, 'output').map(({ t }) => `${(t / 1e9).toFixed(3)} s`);
    claim.holds(times.includes(claim.text), 'the output events', times.join(', '));
  },
};
