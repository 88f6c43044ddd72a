/** Messages of measuring loops, over a run with packets that was recorded on the embedded device. */
import { describe, expect, it } from 'vitest';
import { bookOf } from '../../src/model/machine/book';
import { knownConnections } from '../../src/model/known-connections';
import { runPackets } from '../../src/model/packet-rows';
import { recordingOf } from '../../src/model/picture/recording-of';
import { stagesOf } from '../../src/model/picture/stages-of';
import { stateAt } from '../../src/model/picture/state-at';
import { RunModel } from '../../src/model/run-model';
import { keptRun } from '../lib/kept-run';

const { run, items } = await keptRun('bulk');

const IP_AND_UDP = 28;
const BTH = 12;
const MTU = 4096;

/**
 * The run, of which three packets are kept: the first two of a WRITE, and an ACK for them made of the third. `lossy`: the
 * second was dropped on its way, and is sent again.
 */
function modelOf({ lossy = false, packets = true } = {}): RunModel {
  const model = new RunModel(run);
  for (const item of items) {
    if (item instanceof Uint8Array) model.frame(item);
    else model.event(item);
  }
  const [begin, last, third] = model.packets.all.slice(0, 3) as [Packet, Packet, Packet];
  const first = { ...begin, bytes: withLength(begin.bytes, 2 * MTU) };
  const end = { ...last, bytes: withOpcode(last.bytes, OPCODE_WRITE_LAST) };
  const qpn = bookOf(model).objects.find(
    ({ kind, endpoint, states }) => kind === 'QP' && endpoint === 'client' && states.length > 0,
  )!.number!;
  const ack = { ...third, direction: 'received' as const, bytes: ackFor(last.bytes, qpn), t: third.t + 1000 };
  const again = { ...end, t: third.t };
  const all = lossy ? [first, { ...end, flags: 2 }, again, ack] : [first, end, ack];
  const kept = packets ? all : [];
  Object.assign(model, { packets: { all: kept, length: kept.length } });
  return model;
}

type Packet = RunModel['packets']['all'][number];
const OPCODE_WRITE_LAST = 8;
const OPCODE_ACK = 17;

function withOpcode(bytes: Uint8Array, opcode: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[IP_AND_UDP] = opcode;
  return changed;
}

/** A first packet whose RETH says so many bytes. */
function withLength(bytes: Uint8Array, length: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  new DataView(changed.buffer).setUint32(IP_AND_UDP + BTH + 12, length);
  return changed;
}

/** An ACK for the PSN of a packet. */
function ackFor(bytes: Uint8Array, qpn: number): Uint8Array {
  const ack = withOpcode(bytes.subarray(0, IP_AND_UDP + BTH + 8), OPCODE_ACK);
  const view = new DataView(ack.buffer);
  view.setUint16(2, ack.length);
  view.setUint16(24, ack.length - 20);
  view.setUint32(IP_AND_UDP + 4, qpn);
  view.setUint32(IP_AND_UDP + BTH, 1);
  return ack;
}

const recorded = (model: RunModel) =>
  recordingOf(
    model,
    runPackets(model.packets).analysis(() => knownConnections(model)),
  );

describe('the picture of a measuring loop', () => {
  const recording = recorded(modelOf())!;
  const stages = stagesOf(recording);

  it('replays a message that was captured with its answer', () => {
    expect(recording.title).toMatch(/^One WRITE of [\d,]+ B$/);
    const packets = recording.events.filter(({ kind }) => kind === 'packet');
    expect(packets).toHaveLength(recording.events.length);
    expect(packets.length).toBeGreaterThan(1);
    expect(stages.map(({ name }) => name)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Packets? out$/), 'ACK']),
    );
  });

  it('says neither when it was posted, nor what queues held, nor what programs did', () => {
    expect(stages.map(({ name }) => name)).not.toContain('Posted');
    for (const { caption } of stages) expect(caption).not.toMatch(/makes no call|knows nothing/);
    for (const { from, to } of stages)
      for (const t of [from, (from + to) / 2, to]) {
        const { hosts } = stateAt(recording, stages, t);
        for (const { rings } of Object.values(hosts))
          for (const ring of Object.values(rings)) {
            expect(new Set(ring.slots)).toEqual(new Set(['unknown']));
            expect(ring.used).toBeNull();
          }
      }
  });

  it('fills the memory that its RETH names with what has arrived', () => {
    const { hosts } = stateAt(recording, stages, stages.at(-1)!.to);
    const filled = hosts.server.memory!.filled.reduce((sum, { from, to }) => sum + to - from, 0);
    expect(recording.title).toContain(`${filled.toLocaleString('en-GB')} B`);
  });

  it('prefers a message that lost a packet', () => {
    const lossy = recorded(modelOf({ lossy: true }))!;
    expect(lossy.events.some((e) => e.kind === 'packet' && e.lost)).toBe(true);
  });

  it('is none without packets', () => {
    expect(recorded(modelOf({ packets: false }))).toBeNull();
  });
});
