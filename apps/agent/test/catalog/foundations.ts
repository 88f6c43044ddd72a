/** Rows A1, A6, A9, B1, C1, D2 and E2 of what the labs must show. */
import { expect } from 'vitest';
import { MINIMAL_FLOW_STEPS } from '@verbslab/labs';
import type { Facts } from './found.js';

const minimalFlow: Facts = {
  holds: ({ of }) => {
    const steps = of('step').filter(({ phase }) => phase === 'begin');
    expect(steps.map(({ id }) => id)).toEqual(MINIMAL_FLOW_STEPS.map(({ id }) => id));
    // 12 bytes of private data, big-endian: the address and the rkey of the server’s memory.
    const server = of('exchange').find(({ from }) => from === 'server');
    const record = Buffer.from(server?.record ?? '', 'hex');
    expect(record).toHaveLength(12);
    expect(record.readBigUInt64BE()).toBe(BigInt(server!.values.addr as string));
    expect(record.readUInt32BE(8)).toBe(Number(server!.values.rkey));
    expect(of('completion', 'client').map(({ wc }) => [wc.opcode, wc.status])).toEqual([
      ['RDMA_WRITE', 0],
      ['RDMA_READ', 0],
    ]);
    expect(of('completion', 'server')).toEqual([]);
  },
};

const connectionManager: Facts = {
  holds: ({ link, figures, outcomes, rows }) => {
    expect(figures).toMatchObject({ reason: 28, 'udp-setup': 2 });
    if (link === 'udp') expect(figures['udp-data']).toBeGreaterThan(0);
    else expect(figures['udp-data']).toBe(0);
    for (const name of ['cm-setup', 'connect', 'hand-setup', 'cm-write', 'hand-write'])
      expect(figures[name]).toBeGreaterThan(0);
    expect(rows('messages').map(({ message, qpn }) => [message, qpn])).toEqual([
      ['ConnectRequest', 1],
      ['ConnectReply', 1],
      ['ReadyToUse', 1],
      ['DisconnectRequest', 1],
      ['DisconnectReply', 1],
      ['ConnectRequest', 1],
      ['ConnectReject', 1],
    ]);
    const connects = rows('trace').filter(({ call }) => call === 'rdma_connect');
    expect(connects.map(({ way, event }) => [way, event])).toEqual([
      ['rdma_cm', 'ESTABLISHED'],
      ['rejected', 'REJECTED'],
    ]);
    const calls = (part: string) =>
      rows('trace').flatMap(({ way, endpoint, tag, call }) =>
        way === 'rdma_cm' && endpoint === 'client' && tag === part ? [call] : [],
      );
    expect(calls('setup, once')).toEqual(
      expect.arrayContaining(['rdma_resolve_addr', 'rdma_resolve_route', 'rdma_create_qp', 'rdma_connect']),
    );
    expect(calls('ready')).toEqual([expect.stringMatching(/private data [0-9a-f]{24}$/)]);
    expect(calls('data, per message')).toEqual(['RDMA WRITE, median', 'RDMA READ']);
    expect(calls('end')).toContain('rdma_disconnect');
    expect(outcomes).toEqual({ 'who-moves': 'library' });
  },
};

const deviceFacts: Facts = {
  holds: ({ figures, rows, answer }) => {
    expect(figures['path-mtu-asked']).toBe(1024);
    const attributes = rows('attributes');
    expect(attributes).toHaveLength(33);
    for (const { name, meaning } of attributes) expect(meaning, String(name)).not.toBe('');
    expect(attributes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['max_qp', 'max_cq', 'state', 'max_mtu', 'active_mtu']),
    );
    // A limit is no measurement: all its digits are shown.
    expect(attributes.find(({ name }) => name === 'max_msg_sz')?.value).toBe('1,073,741,824');
    expect(rows('asks').every(({ outcome }) => outcome !== 'Granted.')).toBe(true);
    expect(answer).toContain('QPs');
  },
};

const qpStates: Facts = {
  holds: ({ figures, outcomes, rows }) => {
    const calls = rows('calls');
    const granted = calls.filter(({ answer }) => answer === 'Granted.');
    expect(granted.map(({ to }) => to)).toEqual(['INIT', 'RTR', 'RTS', 'ERR', 'RESET']);
    expect(granted.slice(0, 3).map(({ mask }) => mask)).toEqual(['0x39', '0x129181', '0x12e01']);
    for (const { answer, from, to } of calls)
      if (answer !== 'Granted.')
        expect([to, String(answer)]).toEqual([from, expect.stringContaining('EINVAL')]);
    expect(figures).toMatchObject({ refused: 20, 'rnr-code': 655.36, 'after-loss': null });
    expect(figures['rnr-wait']).toBeGreaterThanOrEqual(655.36);
    expect(outcomes).toEqual({ skip: 'refused', 'lost-packet': 'never' });
  },
};

const threeContracts: Facts = {
  holds: ({ figures, outcomes, rows, of }) => {
    const steps = of('step').filter(({ phase }) => phase === 'begin');
    expect(steps.map(({ id }) => id)).toEqual(['memory', 'messages', 'delivery']);
    const good = '5 SUCCESS';
    const flushed = '4 WR_FLUSH_ERR';
    expect(rows('trials').map(({ client, server, right, told }) => [client, server, right, told])).toEqual([
      [good, good, 5, 'neither'],
      [good, good, 1, 'neither'],
      ['LOC_PROT_ERR', 'none', 0, 'client'],
      [good, good, 5, 'neither'],
      [`RNR_RETRY_EXC_ERR, ${flushed}`, 'none', 0, 'client'],
      [`REM_INV_REQ_ERR, ${flushed}`, `LOC_LEN_ERR, ${flushed}`, 0, 'both'],
      [good, good, 5, 'neither'],
      ['SUCCESS', 'SUCCESS', 1, 'neither'],
      ['RETRY_EXC_ERR', 'none', 0, 'client'],
      [`RETRY_EXC_ERR, ${flushed}`, 'none', 0, 'client'],
      [good, good, 5, 'neither'],
    ]);
    const { 'lost-again': again, ...found } = figures;
    expect(again).toBeGreaterThan(0);
    expect(found).toEqual({
      'waited-right': 5,
      'reused-right': 1,
      'missing-tries': 4,
      'lost-right': 5,
      'unread-right': 0,
      'rebuilt-right': 5,
    });
    const lengths = rows('lengths');
    expect(lengths.map(({ sent }) => sent)).toEqual([167, 16, 143, 252, 249]);
    expect(lengths.map(({ received }) => received)).toEqual(lengths.map(({ sent }) => sent));
    expect(outcomes).toEqual({ short: 'both', lost: 'nothing' });
  },
};

const copiesAndCalls: Facts = {
  params: { messages: 100, counted: 40, repeat: 1 },
  without: (link) => (link === 'udp' ? ['around'] : []),
  holds: ({ link, figures, rows }) => {
    for (const call of ['sendto', 'recvfrom'])
      expect(
        rows('calls').find((row) => row.way === 'TCP' && row.part === 'Program' && row.call === call),
      ).toMatchObject({ done: 1 });
    // The loop's own calls come by the clock: the slower the machine, the more of them fall on a message.
    expect(figures['tcp-calls']).toBeGreaterThan(1.99);
    expect(rows('ways').every(({ cpu, switches }) => Number(cpu) > 0 && Number(switches) >= 0)).toBe(true);
    expect(rows('copies').map(({ way, copies }) => [way, copies])).toEqual([
      ['UDP sockets', 2],
      ['TCP', 2],
      ['SEND/RECV', 4],
      ['WRITE', 4],
      ...(link === 'udp'
        ? []
        : [
            ['SEND/RECV, shared memory', 4],
            ['WRITE, shared memory', 4],
          ]),
    ]);
  },
};

export const FOUNDATIONS: Record<string, Facts> = {
  'minimal-flow': minimalFlow,
  'connection-manager': connectionManager,
  'device-facts': deviceFacts,
  'qp-states': qpStates,
  'three-contracts': threeContracts,
  'copies-and-calls': copiesAndCalls,
};
