import type { PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { describe, expect, it } from 'vitest';
import { CANNOT } from '../src/which-verb/cannot.js';
import { JOBS, VERBS } from '../src/which-verb/jobs.js';
import { PLAYS } from '../src/which-verb/run.js';
import { expectedData, wireOf } from '../src/which-verb/wire.js';

const packet = (direction: 'sent' | 'received', opcode: number, psn: number, length = 60): PacketSummary => ({
  direction,
  opcode,
  destQpn: 1,
  psn,
  ackReq: false,
  payload: 0,
  length,
  icrcOk: true,
});
const out = (opcode: number, psn: number) => packet('sent', opcode, psn);
const back = (opcode: number, psn: number) => packet('received', opcode, psn);

describe('jobs and verbs', () => {
  it('have one entry for each pair: a way to do it, or a reason why not', () => {
    const pairs = [...PLAYS, ...CANNOT].map(({ job, verb }) => `${job} ${verb}`);
    expect(pairs.sort()).toEqual(JOBS.flatMap((job) => VERBS.map((verb) => `${job.id} ${verb.id}`)).sort());
  });
});

describe('the packets of a job', () => {
  it('make a round trip with the ACK of the last message', () => {
    const write = [out(RC.writeFirst, 1), out(RC.writeLast, 2), back(RC.acknowledge, 2)];
    expect(wireOf(write)).toEqual({ packets: 3, bytes: 180, roundTrips: 1, data: 2 });
  });

  it('make one with a reply, whose ACK is not waited for', () => {
    const request = [
      out(RC.sendOnly, 1),
      back(RC.acknowledge, 1),
      back(RC.sendOnly, 7),
      out(RC.acknowledge, 7),
    ];
    expect(wireOf(request)).toMatchObject({ packets: 4, roundTrips: 1, data: 2 });
  });

  it('make no round trip of ACKs between the messages of a stream', () => {
    const stream = [1, 2, 3].flatMap((psn) => [out(RC.writeOnly, psn), back(RC.acknowledge, psn)]);
    expect(wireOf([...stream, back(RC.writeOnly, 7), out(RC.acknowledge, 7)])).toMatchObject({
      packets: 8,
      roundTrips: 1,
      data: 4,
    });
  });

  it('make two when the target READs what was announced', () => {
    const pulled = [
      out(RC.sendOnly, 1),
      back(RC.acknowledge, 1),
      back(RC.readRequest, 7),
      out(RC.readResponseFirst, 7),
      out(RC.readResponseLast, 8),
      back(RC.sendOnly, 9),
      out(RC.acknowledge, 9),
    ];
    expect(wireOf(pulled)).toMatchObject({ packets: 7, roundTrips: 2, data: 4 });
  });

  it('count a retransmitted packet, but not as data', () => {
    const again = [out(RC.writeOnly, 1), out(RC.writeOnly, 1), back(RC.acknowledge, 1)];
    expect(wireOf(again)).toMatchObject({ packets: 3, data: 1 });
  });

  it('have no known length where one of them has none', () => {
    const { length: _, ...unknown } = out(RC.writeOnly, 1);
    expect(wireOf([unknown, back(RC.acknowledge, 1)]).bytes).toBeNull();
  });

  it('follow from the requests and the path MTU', () => {
    const post = (opcode: 'SEND' | 'RDMA_READ' | 'ATOMIC_FETCH_AND_ADD', length: number) => ({
      move: 'post' as const,
      wr: { opcode, local: length === 0 ? [] : [{ mr: 1, offset: 0, length }] },
    });
    expect(expectedData([{ move: 'sent', count: 1 }], 1024)).toBe(0);
    expect(expectedData([post('SEND', 0)], 1024)).toBe(1);
    expect(expectedData([post('SEND', 1025)], 1024)).toBe(2);
    expect(expectedData([post('RDMA_READ', 4096)], 1024)).toBe(4);
    expect(expectedData([post('ATOMIC_FETCH_AND_ADD', 8)], 1024)).toBe(2);
  });
});
