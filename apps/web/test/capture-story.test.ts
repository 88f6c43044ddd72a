import { decodeFile, diagnoseFile } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOf } from '../src/packets/capture-facts';
import { captureStory } from '../src/packets/capture-story';

const captured = (name: string) => readFileSync(new URL(`../../../testdata/${name}`, import.meta.url));
const file = decodeFile(captured('rxe-write-8pc-loss.pcap'));
const diagnosis = diagnoseFile(captured('rxe-write-8pc-loss.pcap'));
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
    const { messages, missing, again, held } = byHand();
    expect(missing).toBeGreaterThan(again - held);
    const places = new Set(messages.map(({ psn }) => psn));
    expect(captureStory(diagnosis).map(plain)).toEqual([
      `10.9.0.2 wrote messages to 10.9.0.1 (QP 0x00001f): ${places.size} messages of 16 KiB each are here, in whole or in part.`,
    ]);
  });

  it('says that messages are here in part where packets are missing for good', () => {
    // Without its retransmissions: what a sample or a late begin leaves.
    const bytes = captured('rxe-write-8pc-loss.pcap');
    const cut = diagnoseFile(bytes.subarray(0, bytes.length / 8));
    expect(cut.connections[0]!.from[0]!.missing).toBeGreaterThan(0);
    expect(plain(captureStory(cut)[0]!)).toMatch(
      /^10\.9\.0\.2 wrote messages to 10\.9\.0\.1 \(QP 0x00001f\): \d+ messages? of [^.]* are here, in whole or in part\.$/,
    );
  });

  it('describes three connections, and leads to the table for others', () => {
    const whole = diagnoseFile(captured('rxe-verbs-and-cm.pcap'));
    const stories = captureStory(whole).map(plain);
    expect(stories).toHaveLength(4);
    expect(stories[0]).toMatch(/ (wrote|sent|read) \d+ messages? of /);
    expect(stories[3]).toBe(`${whole.connections.length - 3} more connections are in the table below.`);
  });

  it('does not count a message as whole where the file breaks off', () => {
    const bytes = captured('rxe-verbs-and-cm.pcap');
    const cut = diagnoseFile(bytes.subarray(0, bytes.length - 7));
    expect(cut.error).toBeDefined();
    expect(plain(captureStory(cut)[0]!)).toMatch(/ (is|are) here, in whole or in part\./);
  });

  it('is counted, each figure by its own name', () => {
    const { missing, again, held } = byHand();
    const facts = factsOf(diagnosis);
    const fact = (name: string) => facts.find((one) => one.name === name);
    expect(fact('missing')?.value).toBe(String(missing));
    expect(fact('retransmitted')?.value).toBe(String(again));
    expect(fact('retransmitted')?.meaning).toContain(`For ${held} of them`);
    expect(fact('NAKs')?.value).toBe('8');
    expect(fact('wrong ICRCs')?.value).toBe('0');
    expect(fact('ACKs')?.value).toBe(String(file.packets.filter(({ kind }) => kind === 'ack').length));
    expect(fact('over')).toMatchObject({ before: true });
  });

  it('tells refused messages from those that were written', () => {
    const [connection] = diagnosis.connections;
    const { from } = connection!;
    const way = { ...from[0]!, missing: 0 };
    const told = (count: number, refused: number) =>
      captureStory({
        connections: [
          {
            ...connection!,
            from: [
              {
                ...way,
                messages: [
                  {
                    kind: 'RDMA WRITE',
                    count,
                    bytes: 64 * count,
                    sizes: count > 0 ? [64, 64] : null,
                    refused,
                  },
                ],
              },
              null,
            ],
          },
        ],
      }).map(plain);
    const [a, b] = connection!.ends;
    const refusal = `${b.ip} refused 1 message of ${a.ip}.`;
    expect(told(5, 1)[0]).toMatch(/ wrote 5 messages of 64 B each to .*\. /);
    expect(told(5, 1)[0]!.endsWith(refusal)).toBe(true);
    expect(told(0, 1)).toEqual([refusal]);
  });
});
