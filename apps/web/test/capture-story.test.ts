import { decodeFile } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../src/packets/capture-facts';
import { captureStory } from '../src/packets/capture-story';
import { FilePackets, withoutArrivals } from '../src/packets/rows';

const file = decodeFile(readFileSync(new URL('../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url)));
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

/** Requests by their own PSNs, without the decoder's models: who is missing when a later one comes. */
function byHand() {
  const requests = file.packets.filter(({ kind }) => kind === 'write');
  const first = requests[0]!.psn!;
  const seen = new Set<number>();
  let next = 0;
  let missing = 0;
  let again = 0;
  let held = 0;
  for (const { psn } of requests) {
    const at = (psn! - first) & 0xffffff;
    if (at >= next) {
      missing += at - next;
      next = at + 1;
    } else {
      again++;
      if (seen.has(at)) held++;
    }
    seen.add(at);
  }
  return { missing, again, held, messages: requests.filter(({ va }) => va !== undefined) };
}

describe('what a capture shows', () => {
  it('is said in words, and agrees with a count by hand', () => {
    const { missing, again, held, messages } = byHand();
    const places = new Set(messages.map(({ psn }) => psn));
    const [story, ...more] = captureStory(file).map(plain);
    expect(more).toEqual([]);
    expect(missing).toBeGreaterThan(0);
    expect(story).toBe(
      `10.9.0.2 wrote messages to 10.9.0.1 (QP 0x1f): ${places.size} of 16 KiB each are here, in whole or in part. ` +
        `${missing} packets from 10.9.0.2 are missing here where a later one was captured. ` +
        `${again} packets were retransmitted after 8 NAKs: ${held} had been captured before, and ${again - held} had not.`,
    );
  });

  it('says that messages are here in part where packets are missing for good', () => {
    // Without its retransmissions: what a sample or a late begin leaves.
    const bytes = readFileSync(new URL('../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url));
    const cut = decodeFile(bytes.subarray(0, bytes.length / 8));
    const [missing] = cut.summary.connections[0]!.missing;
    const again = cut.summary.connections[0]!.retransmissions - cut.summary.connections[0]!.duplicates;
    expect(missing).toBeGreaterThan(again);
    expect(plain(captureStory(cut)[0]!)).toMatch(
      /^10\.9\.0\.2 wrote messages to 10\.9\.0\.1 \(QP 0x1f\): \d+ of [^.]* are here, in whole or in part\. \d+ packets? from/,
    );
  });

  it('says how many messages there were where none is missing', () => {
    const whole = decodeFile(
      readFileSync(new URL('../../../testdata/rxe-verbs-and-cm.pcap', import.meta.url)),
    );
    const connection = whole.summary.connections.find((c) => c.messages > 0)!;
    expect(connection.missing).toEqual([0, 0]);
    expect(plain(captureStory(whole)[0]!)).toMatch(/ (wrote|sent|read) \d+ messages? of /);
  });

  it('does not count a message as whole where the file breaks off', () => {
    const bytes = readFileSync(new URL('../../../testdata/rxe-verbs-and-cm.pcap', import.meta.url));
    const cut = decodeFile(bytes.subarray(0, bytes.length - 7));
    expect(cut.error).toBeDefined();
    expect(plain(captureStory(cut)[0]!)).toMatch(/ (is|are) here, in whole or in part\./);
  });

  it('is counted, each figure by its own name', () => {
    const { missing, again } = byHand();
    const facts = factsOf({ name: '', run: null, file, rows: new FilePackets(file.packets, new Map()) });
    const value = (name: string) => facts.find((fact) => fact.name === name)?.value;
    expect(value('missing')).toBe(String(missing));
    expect(value('retransmitted')).toBe(String(again));
    expect(value('NAKs')).toBe('8');
    expect(value('wrong ICRCs')).toBe('0');
    expect(value('ACKs')).toBe(String(file.packets.filter(({ kind }) => kind === 'ack').length));
    expect(facts.find(({ name }) => name === 'over')).toMatchObject({ before: true });
  });

  it('lists packets once where both ends were captured', () => {
    const rows = new FilePackets(
      file.packets.slice(0, 4),
      new Map([
        [1, ['copy']],
        [2, ['gap']],
      ]),
    );
    expect(withoutArrivals(rows)).toEqual([0, 2, 3]);
    expect([0, 1, 2].map((i) => rows.prefix(i))).toEqual(['', 'arrival: ', 'packets missing before: ']);
    expect(withoutArrivals(new FilePackets(file.packets.slice(0, 4), new Map()))).toBeNull();
  });
});
