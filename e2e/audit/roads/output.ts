// What a program printed, beside what came out of `verbslab exec` in the test's own pipe.
import type { Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const OUTPUT: Roads<Evidence> = {
  output: (claim, { program }) =>
    claim.holds(
      plain(program!.printed).includes(claim.text),
      'the pipe of the test',
      plain(program!.printed),
    ),
  'output-size': (claim, { program }) => {
    const { size } = claim.match(/^(?<size>.+) of stdout\.$/);
    claim.quantity(Buffer.byteLength(program!.printed), 'the pipe of the test', size);
  },
  'output-time': (claim, { data }) => {
    const times = itemsOf(data, 'output').map(({ t }) => `${(t / 1e9).toFixed(3)} s`);
    claim.holds(times.includes(claim.text), 'the output events', times.join(', '));
  },
};
