/**
 * Every lab of the catalog, on both links of the embedded device: its checks hold, it fills in the declared results,
 * finds the facts of `catalog/`, and its work requests have the times of their packets. Prints the findings.
 */
import { LABS } from '@verbslab/labs';
import { describe, expect, it } from 'vitest';
import { foundIn } from './catalog/found.js';
import { FACTS } from './catalog/index.js';
import { expectAnswer, expectTimes, expectWhole, skippedOf, told } from './catalog/judge.js';
import { runOn } from './catalog/run-lab.js';
import { ownAddress } from './helpers/own-address.js';

ownAddress('127.0.0.92');

it('states facts of every lab', () => {
  expect(Object.keys(FACTS).sort()).toEqual(LABS.map(({ description }) => description.id).sort());
});

describe.each(['udp', 'auto'] as const)('the catalog on the link %s', (link) => {
  // A simulated lab uses no link.
  const labs = LABS.filter(({ description }) => link === 'udp' || !description.simulated);
  it.each(labs.map(({ description }) => [description.id, description] as const))(
    '%s: holds, and finds what it must',
    async (id, lab) => {
      const ran = await runOn(link, { lab: id, params: FACTS[id]?.params ?? {} });
      const { result, events } = ran;
      console.info(told(`${id} (${link})`, lab, result));
      const { without, may = [], holds } = FACTS[id]!;
      expectWhole(lab, result, may);
      expectAnswer(lab, result);
      const skipped = skippedOf(result).filter((check) => !may.includes(check));
      expect(skipped.sort()).toEqual([...(without?.(link) ?? [])].sort());
      holds(foundIn(link, result, events));
      expectTimes(lab, ran);
    },
  );
});
