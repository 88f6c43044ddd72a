// What a program printed, beside what came out of `verbslab exec` in the test's own pipe.
import type { Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { commandOf } from '../program.js';

/** Of the start of each stream, and as much of its end. */
const KEPT_BYTES = 256 * 1024;

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const OUTPUT: Roads<Evidence> = {
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
