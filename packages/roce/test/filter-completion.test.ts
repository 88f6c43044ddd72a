import { describe, expect, it } from 'vitest';
import { completeFilter } from '../src/index.js';

describe('completion', () => {
  /** `|` is the caret. */
  const complete = (marked: string) => {
    const caret = marked.indexOf('|');
    return completeFilter(marked.replace('|', ''), caret);
  };
  const texts = (marked: string) => complete(marked).candidates.map((c) => c.text);

  it.each([
    ['|', ['infiniband.bth.opcode', 'infiniband.bth.destqp', 'infiniband.bth.psn']],
    ['infiniband.bth.op|', ['infiniband.bth.opcode']],
    ['infiniband.bth.p|', ['infiniband.bth.psn', 'infiniband.bth.padcnt', 'infiniband.bth.p_key']],
    ['ip.src == 10.0.0.1 && ip.ds|', ['ip.dst', 'ip.dsfield.dscp', 'ip.dsfield.ecn', 'ip.dsfield']],
    ['!(udp.|', ['udp.port', 'udp.srcport', 'udp.dstport', 'udp.length', 'udp.checksum']],
    ['infiniband.bth.opcode == ack|', ['17', '18', '81', '82', '177', '178']],
    [
      'infiniband.bth.opcode in {4, 1|',
      [
        ...['1', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19', '100', '101', '129'],
        ...Array.from({ length: 24 }, (_, i) => String(160 + i)).filter((code) => code !== '181'),
      ],
    ],
    ['infiniband.aeth.syndrome.opcode != |', ['0', '1', '3']],
    ['infiniband.bth.a == |', ['1', '0']],
    ['infiniband.bth.opcode |', ['==', '!=', '>', '<', '>=', '<=', 'in', '&', '&&', '||']],
    ['eth.src[0:3] c|', ['contains']],
    ['infiniband.bth.opcode & 1 |', ['==', '!=', '>', '<', '>=', '<=', 'in', '&', '&&', '||']],
    ['infiniband.bth.opcode == 17 |', ['&&', '||']],
    ['infiniband.bth.opcode == 17 an|', ['&&']],
    ['(udp) |', ['&&', '||']],
    ['infiniband.bth.opcode in |', ['{']],
    ['infiniband.bth.opcode in {1} |', ['&&', '||']],
    ['frame contains "a|', []],
    ['nonsense == |', []],
  ] as [string, string[]][])('of %s', (marked, expected) => {
    const found = texts(marked);
    expect(marked === '|' ? found.slice(0, expected.length) : found).toEqual(expected);
  });

  it('replaces the whole word at the caret', () => {
    const { from, to, candidates } = complete('ip && infiniband.bt|h.xyz == 1');
    expect([from, to]).toEqual([6, 24]);
    expect(candidates[0]).toEqual({ text: 'infiniband.bth.opcode', kind: 'field', label: 'Opcode' });
  });

  it('offers nothing for a word that is complete', () => {
    expect(texts('infiniband.bth.opcode|')).toEqual([]);
  });
});
