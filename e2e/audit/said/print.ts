// npm run statements -- --seed 7 --count 30 [--by lab\ text,doc]: draws sentences that the product says, with the place of
// each and the ways to check it.
import { parseArgs } from 'node:util';
import { allStatements, codeOf } from './collect.js';
import { drawn } from './draw.js';
import { Places } from './names.js';
import { placeOf, SAYERS, type Sayer } from './statement.js';
import { waysTo } from './ways.js';

const USAGE = `npm run statements -- [--seed N] [--count N] [--by SAYERS]

Draws sentences that the product says, to check each against another source. The same seed draws the same ones.
  --seed N     (the day's)
  --count N    how many (30)
  --by SAYERS  some of: ${SAYERS.join(', ')}
`;

// A reader such as `head` may close the output early.
process.stdout.on('error', () => process.exit(0));

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: new Date().toISOString().slice(0, 10).replaceAll('-', '') },
    count: { type: 'string', default: '30' },
    by: { type: 'string', default: SAYERS.join() },
    help: { type: 'boolean', default: false },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
const by = values.by.split(',').map((one) => one.trim());
const unknown = by.filter((one) => !(SAYERS as readonly string[]).includes(one));
if (values.help) process.stdout.write(USAGE);
else if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(count) || count < 1 || unknown.length > 0) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  const all = allStatements();
  const places = new Places(codeOf());
  process.stdout.write(`Seed ${seed}, ${Math.min(count, all.length)} of ${all.length} sentences\n`);
  for (const [i, one] of drawn(all, seed, count, by as Sayer[]).entries()) {
    const about = one.about ? ` (${one.about})` : '';
    const ways = waysTo(one, places).map((way) => `   check: ${way}\n`);
    process.stdout.write(
      `\n${i + 1}. ${one.by}, ${placeOf(one)}${about}\n   “${one.text}”\n${ways.join('')}`,
    );
  }
}
