import { describe, expect, it } from 'vitest';
import {
  faultsText,
  FaultsWordError,
  FAULTS_WORDS,
  parseFaults,
  parsePlanned,
  parseRule,
  ruleText,
  zFaults,
} from '../src/index.js';

describe('the words of faults', () => {
  it('are those of tc-netem', () => {
    expect(parseFaults('loss=1%, delay=5ms,jitter=500us,rate=1.5gbit,seed=0x10')).toEqual({
      rates: { drop: 0.01, seed: '0x10' },
      shaping: { delayUs: 5000, jitterUs: 500, rateBps: 1.5e9 },
    });
    expect(parseFaults('off')).toEqual({});
    expect(zFaults.parse(parseFaults(FAULTS_WORDS))).toEqual(parseFaults(FAULTS_WORDS));
    expect(parsePlanned('at=1500ms,endpoint=client,off')).toEqual({
      at: 1.5,
      endpoint: 'client',
      faults: {},
    });
  });

  it('name what is wrong, and what would be right', () => {
    for (const [words, expected] of [
      ['loss=2', 'loss=1%'],
      ['loss=101%', '100%'],
      ['delay=5', 'delay=5ms'],
      ['rate=fast', 'rate=100mbit'],
      ['seed=x', 'whole number'],
      ['looss=1%', 'loss=1%'],
      ['delay=1ms,jitter=2ms', 'at most the delay'],
      ['loss', 'loss=1%'],
    ] as const) {
      expect(() => parseFaults(words), words).toThrow(FaultsWordError);
      try {
        parseFaults(words);
      } catch (error) {
        expect((error as FaultsWordError).expected, words).toContain(expected);
      }
    }
    expect(() => parseRule('eat:psn=1')).toThrow(FaultsWordError);
    expect(() => parseRule('drop:pn=1')).toThrow(FaultsWordError);
    expect(() => parseRule('delay:psn=1')).toThrow(FaultsWordError);
  });

  it('describe rules', () => {
    const rule = parseRule('drop:opcode=0x0a,psn=5,qpn=0x11,nth=2,times=1');
    expect(rule).toEqual({ action: 'drop', opcode: 10, psn: 5, qpn: 17, iter: 2, times: 1 });
    expect(ruleText(rule)).toBe('drop opcode 0x0a, to QP 0x000011, PSN 5, number 2, once');
    expect(ruleText(parseRule('delay:by=2ms,times=3'))).toBe('delay the next 3 packets by 2 ms');
    expect(ruleText(parseRule('drop:times=1'))).toBe('drop the next packet');
    expect(ruleText(parseRule('mark:'))).toBe('mark every packet');
    expect(faultsText({ rules: [rule, rule] })).toBe('2 rules');
  });

  it('are short where they are shown', () => {
    expect(faultsText({})).toBe('');
    expect(faultsText({ rates: { drop: 0, seed: '0x1' } })).toBe('');
    expect(
      faultsText(parseFaults('loss=0.01%,corrupt=5%,mark=2%,delay=10ms,jitter=250us,rate=100mbit')),
    ).toBe('0.01 % loss, 5 % corrupted, 2 % marked (ECN), 10 ms ± 250 µs delay, at most 100 Mbit/s');
  });
});
