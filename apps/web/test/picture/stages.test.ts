/** Names, captions and questions of the stages of recordings. */
import { LABS } from '@verbslab/labs';
import { PICTURE_SAMPLES } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { stagesOf } from '../../src/model/picture/stages-of';
import { stateAt } from '../../src/model/picture/state-at';
import type { PictureState } from '../../src/model/picture/state';
import { SAMPLE_FILES, sampleFile } from './recordings';

const namesOf = (name: string): string[] => stagesOf(sampleFile(name)).map((stage) => stage.name);
const captionOf = (name: string, stage: string): string =>
  stagesOf(sampleFile(name)).find((one) => one.name === stage)!.caption;

/** State at a part of a stage. */
function within(name: string, stage: string, part = 1): PictureState {
  const recording = sampleFile(name);
  const stages = stagesOf(recording);
  const { from, to } = stages.find((one) => one.name === stage)!;
  return stateAt(recording, stages, from + part * (to - from) - 1e-6);
}

describe('stages', () => {
  it.each([
    ['write', ['Posted', 'WQE fetched', 'Packets out', 'Bytes landing', 'ACK', 'CQE polled']],
    ['small-write', ['Posted', 'WQE fetched', 'Packet out', 'Bytes land', 'ACK', 'CQE polled']],
    ['read', ['Posted', 'WQE fetched', 'Request out', 'Responses', 'CQE polled']],
    ['atomic', ['Posted', 'WQE fetched', 'Request out', 'Response', 'CQE polled']],
    ['unreliable-lost', ['Posted', 'WQE fetched', 'Middle lost', 'CQE polled']],
    ['connect', ['REQ', 'REP', 'RTU']],
  ])('of %s follow the packets', (name, expected) => expect(namesOf(name)).toEqual(expected));

  it('begin with the RECV where a message takes one', () => {
    for (const name of ['send', 'write-imm', 'datagram']) expect(namesOf(name)[0]).toBe('RECV posted');
  });

  it.each(['First', 'Middle'])('name the gap that a lost %s leaves, and go back to it', (label) => {
    const name = `write-lost-${label.toLowerCase()}`;
    expect(namesOf(name)).toEqual(
      expect.arrayContaining([`${label} lost`, 'A gap', 'Go back', 'ACK', 'CQE polled']),
    );
    expect(captionOf(name, 'Go back')).toContain(label === 'First' ? 'goes back to +0' : 'goes back to +1');
  });

  it('wait for the timeout where nothing shows the loss', () => {
    expect(namesOf('write-lost-last')).toEqual(
      expect.arrayContaining(['Last lost', 'Timeout', 'Sent again', 'ACK']),
    );
    expect(captionOf('write-lost-last', 'Timeout')).toMatch(/That takes 6\d\.\d.ms\.$/);
    expect(namesOf('write-lost-ack')).toEqual(
      expect.arrayContaining(['ACK lost', 'Timeout', 'Sent again', 'ACK']),
    );
    expect(captionOf('write-lost-ack', 'Sent again')).toContain('writes nothing and acknowledges once more');
  });

  it('show each try of a request that nobody answers, and claim no arrival', () => {
    const whole = sampleFile('small-write');
    const packet = whole.events.find((e) => e.kind === 'packet' && e.side === 'client')!;
    if (packet.kind !== 'packet') throw new Error('no packet');
    const after = (id: string, ns: number) => ({
      ...{ ...packet, id, again: true, taken: false, arrived: null },
      ...{ t: packet.t + ns, from: packet.from + ns, sent: packet.from + ns, to: packet.to + ns },
    });
    const stages = stagesOf({
      ...whole,
      events: [
        ...whole.events.filter((e) => e.kind !== 'packet' && e.side === 'client' && e.t <= packet.t),
        ...[{ ...packet, taken: false, arrived: null }, after('p8', 100_000), after('p9', 300_000)],
      ],
    });
    expect(stages.map(({ name }) => name)).toEqual([
      ...['Posted', 'WQE fetched', 'Packet out', 'Timeout', 'Sent again', 'Timeout', 'Sent again'],
    ]);
    const waits = stages.filter(({ name }) => name === 'Timeout').map(({ caption }) => caption);
    expect(waits[0]).toMatch(/That takes 100\sµs\./);
    expect(waits[1]).toMatch(/That takes 200\sµs\./);
    expect(stages.map(({ caption }) => caption).join(' ')).not.toMatch(/bytes in place|has them already/);
  });

  it('say what the device refuses', () => {
    expect(captionOf('beyond-region', 'Checked')).toContain(
      '+32 to +10,032 sticks out of the region by 32 B',
    );
    expect(captionOf('beyond-region', 'NAK')).toContain('raises QP_ACCESS_ERR');
    expect(captionOf('beyond-region', 'Error polled')).toContain('status 10, REM_ACCESS_ERR');
  });

  it('ask what happens to the completion that finds no slot', () => {
    const asked = stagesOf(sampleFile('overrun')).filter(({ asks }) => asks !== null);
    expect(asked.map(({ name }) => name)).toEqual(['The 17th']);
    expect(asked[0]!.asks).toContain('has 16 slots and is full');
  });

  it('wait for the RECV as long as the RNR NAK says, and then deliver', () => {
    const names = namesOf('send-without-recv');
    expect(names.slice(0, 5)).toEqual(['SEND posted', 'WQE fetched', 'Message out', 'RNR NAK', 'Wait']);
    expect(names).toContain('RECV posted');
    expect(captionOf('send-without-recv', 'RNR NAK')).toContain('try again in 10.2');
  });
});

describe('labs', () => {
  const stopping = LABS.flatMap(({ description: { id, picture } }) =>
    picture?.stage === undefined ? [] : [[id, picture.sample, picture.stage] as const],
  );

  it.each(stopping)('%s stops its sample %s at the question of the stage “%s”', (_lab, name, stage) => {
    const found = stagesOf(sampleFile(name === 'write-lost' ? 'write-lost-middle' : name)).find(
      (one) => one.name === stage,
    );
    expect(found?.asks).toMatch(/\?$/);
  });

  it('have a file for each sample that they name', () => {
    const files = new Set(SAMPLE_FILES.map((file) => file.replace(/-(first|middle|last|ack)$/, '')));
    expect([...files].sort()).toEqual([...PICTURE_SAMPLES].sort());
  });
});

describe('states', () => {
  it('of a WRITE: the server’s device puts the bytes in place while its program does nothing', () => {
    const { hosts } = within('write', 'Bytes landing');
    expect(hosts.server.lit).toEqual(['device']);
    expect(hosts.server.memory!.filled).toEqual([{ from: 0, to: 10_000, faint: false }]);
    expect(hosts.server.memory!.touched).toMatchObject({ text: 'RETH: +0, 10,000 B', refused: false });
    expect(Object.values(hosts.server.rings).every(({ used }) => used === 0)).toBe(true);
    expect(hosts.client.rings.sq).toMatchObject({ used: 1, capacity: 16, written: { slot: 1 } });
  });

  it('of a WRITE: the slot is free and a completion waits after the ACK', () => {
    const { client } = within('write', 'ACK').hosts;
    expect([client.rings.sq!.used, client.rings.cq!.used]).toEqual([0, 1]);
    expect(client.rings.cq!.slots[0]).toBe('cqe');
    expect(within('write', 'CQE polled').hosts.client.rings.cq!.used).toBe(0);
  });

  it('of a loss: the packet stays where it was lost, the request waits, and what came after the gap is not placed', () => {
    const { hosts, packets } = within('write-lost-middle', 'A gap', 0.5);
    expect(packets.find(({ lost }) => lost)).toMatchObject({ label: 'Middle', psn: '+1', crossed: 0.62 });
    expect(hosts.client.rings.sq!.slots[0]).toBe('waiting');
    expect(hosts.server.memory!.filled).toEqual([{ from: 0, to: 4096, faint: false }]);
    expect(within('write-lost-middle', 'ACK').hosts.server.memory!.filled).toEqual([
      { from: 0, to: 10_000, faint: false },
    ]);
  });

  it('of a refused WRITE: nothing is written, and the range is marked', () => {
    const { memory } = within('beyond-region', 'NAK', 0.9).hosts.server;
    expect(memory!.filled).toEqual([]);
    expect(memory!.touched).toEqual({
      ...{ from: 32, to: 10_032, refused: true },
      text: 'RETH: +32 to +10,032, 32 B beyond',
    });
  });

  it('of an inline WRITE: no memory of the client is read', () => {
    const { hosts, flows } = within('small-write', 'Packet out', 0.2);
    expect(hosts.client.memory?.touched ?? null).toBeNull();
    expect(flows.some(({ side, flow }) => side === 'client' && flow === 'memory>device')).toBe(false);
  });

  it('of an overrun: 16 slots are taken, and the program reads CQ_ERR', () => {
    const { client } = within('overrun', '16 CQEs').hosts;
    expect(client.rings.cq).toMatchObject({ used: 16, capacity: 16, note: 'full' });
    expect(within('overrun', 'CQ_ERR').hosts.client.device).toContain('event CQ_ERR');
  });

  it('of a datagram: the payload begins behind 40 B for the GRH', () => {
    expect(within('datagram', 'RECV polled').hosts.server.memory!.filled).toEqual([
      { from: 40, to: 1040, faint: false },
    ]);
  });
});
