import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { ClientType } from '../src/index.js';
import {
  AGENT_MESSAGES,
  ENDPOINT_OPS,
  EVENT_BODIES,
  zAgentMessage,
  zClientMessage,
  zDeviceInfo,
  zEndpointMessage,
  zEndpointRequest,
  zEventBody,
  zLabDescription,
  zLoopOptions,
  zRunEvent,
  zRunRecord,
  zRunResult,
} from '../src/index.js';

const id = 7;
const runId = 'abcdefghi9';
const SIMULATED = { fabric: null, series: null, mechanisms: [], slowdown: null, result: null };
const requests: Record<ClientType, object> = {
  hello: { type: 'hello', id, protocol: 1, client: 'web' },
  'sign-in.code': { type: 'sign-in.code', id },
  'devices.list': { type: 'devices.list', id },
  'labs.list': { type: 'labs.list', id },
  'run.start': { type: 'run.start', id, lab: 'bulk', params: { duration: 3 }, mode: 'all' },
  'run.step': { type: 'run.step', id, runId, go: 'next' },
  'run.cancel': { type: 'run.cancel', id, runId },
  'run.faults': { type: 'run.faults', id, runId, endpoint: 'client', faults: { rates: { drop: 0.01 } } },
  'run.get': { type: 'run.get', id, runId },
  'run.list': { type: 'run.list', id, limit: 10 },
  'run.rows': { type: 'run.rows', id, limit: 10 },
  'run.delete': { type: 'run.delete', id, runId },
  'run.join': { type: 'run.join', id, runIds: [runId, 'a1b2c3d4e5'] },
  'run.separate': { type: 'run.separate', id, runId },
  'run.subscribe': { type: 'run.subscribe', id, runId, fromSeq: 1 },
  'run.unsubscribe': { type: 'run.unsubscribe', id, runId },
  'run.ack': { type: 'run.ack', bytes: 12 },
  'program.start': { type: 'program.start', id: 13, command: ['ibv_rc_pingpong', '-g', '1'], clock: '123' },
  'program.join': { type: 'program.join', id: 13, runId, command: ['ibv_rc_pingpong', '-g', '1'] },
  'program.events': {
    type: 'program.events',
    runId: 'a1b2c3d4e5',
    events: [{ kind: 'note', text: 'hello', t: 5 }],
  },
  'set-up.look': { type: 'set-up.look', id },
  'machines.start': { type: 'machines.start', id },
  'machines.stop': { type: 'machines.stop', id },
  'machines.cancel': { type: 'machines.cancel', id },
  'tools.list': { type: 'tools.list', id },
  'tool.start': { type: 'tool.start', id, tool: 'ib_write_bw', params: { size: 65_536 }, link: 'udp' },
  'workbench.list': { type: 'workbench.list', id },
  'workbench.start': { type: 'workbench.start', id, task: 'send', language: 'c', source: 'int main;' },
  'program.faulted': { type: 'program.faulted', runId, ask: 1, endpoints: ['pid 12'] },
  'program.end': { type: 'program.end', id: 14, runId: 'a1b2c3d4e5', code: 3, signal: 'SIGTERM' },
  'simulation.start': {
    type: 'simulation.start',
    id,
    name: 'incast',
    scenario: { topology: { kind: 'star', hosts: 17 } },
    scenarioBytes: 44,
    parameters: { scenario: 'incast', seed: 7, 'switch.pfc': true },
    clock: '123',
  },
  'simulation.progress': {
    type: 'simulation.progress',
    runId,
    fraction: 0.5,
    text: '1,000 of 2,000 µs',
    secondsLeft: 3,
    soFar: SIMULATED,
  },
  'simulation.end': {
    type: 'simulation.end',
    id,
    runId,
    simulation: SIMULATED,
    error: { code: 'CANCELLED', message: 'It was cancelled.', cure: '' },
  },
  ping: { type: 'ping', id },
  'peers.list': { type: 'peers.list', id, refresh: true },
  'peers.add': { type: 'peers.add', id, join: 'vlab1_x', name: 'vm1' },
  'peers.remove': { type: 'peers.remove', id, name: 'vm1' },
  'peers.check': { type: 'peers.check', id, from: 'local/uroce0', to: 'vm1' },
  clock: { type: 'clock', id },
  'endpoint.open': { type: 'endpoint.open', id, run: 'x', role: 'client', device: 'rxe0', clock: '1' },
  'endpoint.call': { type: 'endpoint.call', id, endpoint: 1, op: 'allocPd', args: {} },
  'endpoint.close': { type: 'endpoint.close', id, endpoint: 1, graceMs: 80 },
  'progress.get': { type: 'progress.get', id },
  'progress.answer': { type: 'progress.answer', id, lab: 'write-imm', check: 'tries', right: true },
  'progress.reset': { type: 'progress.reset', id },
  'traffic.watch': { type: 'traffic.watch', id, on: true },
  'sweep.start': {
    type: 'sweep.start',
    id,
    lab: 'bulk',
    params: { duration: 3 },
    axes: [{ param: 'size', scale: 'log' }],
    points: [{ size: 4096 }, { size: 8192 }],
    repeat: 2,
  },
  'sweep.pause': { type: 'sweep.pause', id, sweepId: runId },
  'sweep.resume': { type: 'sweep.resume', id, sweepId: runId },
  'sweep.cancel': { type: 'sweep.cancel', id, sweepId: runId },
  'sweep.get': { type: 'sweep.get', id, sweepId: runId },
  'sweep.list': { type: 'sweep.list', id, limit: 10 },
  'notebook.get': { type: 'notebook.get', id, runId },
  'notebook.list': { type: 'notebook.list', id, limit: 10, before: runId, query: 'slow', tag: 'rnr' },
  'notebook.find': { type: 'notebook.find', id, words: ['slow'] },
  'note.write': {
    type: 'note.write',
    id,
    runId,
    noteId: runId,
    version: 0,
    text: '**Slow** here.',
    tags: ['rnr'],
    moment: { t: 1500, selection: { packet: 12, wr: 30, event: 31, qp: { endpoint: 'client', qpn: 17 } } },
  },
  'note.delete': { type: 'note.delete', id, runId, noteId: runId, version: 2 },
  'run.tag': { type: 'run.tag', id, runId, add: ['rnr'], remove: ['todo'] },
};

/** A value that the field does not take, whatever its type. */
const wrong = [Symbol.for('absent'), null, -1, 1.5, NaN, '', {}, [], true];

describe('messages of clients', () => {
  it.each(Object.entries(requests))('%s is understood', (_type, message) => {
    expect(zClientMessage.parse(message)).toEqual(message);
  });

  it.each(Object.entries(requests))(
    '%s is refused when a field is missing or of another type',
    (type, message) => {
      const optional = new Set([
        'limit',
        'before',
        'lab@run.list',
        'device',
        'id@run.ack',
        'id@program.events',
        'soFar@simulation.progress',
        'refresh',
        'name@peers.add',
        'endpoint@run.faults',
        'link@tool.start',
        'query',
        'tag',
        'add',
        'remove',
      ]);
      // The one that says how a program did not end.
      const nullable = new Set([
        ...['code@program.end', 'signal@program.end', 'moment@note.write'],
        ...['scenario@simulation.start', 'secondsLeft@simulation.progress', 'error@simulation.end'],
      ]);
      for (const field of Object.keys(message)) {
        for (const value of wrong) {
          if (value === null && nullable.has(`${field}@${type}`)) continue;
          const changed: Record<string, unknown> = { ...message, [field]: value };
          if (typeof value === 'symbol') {
            if (optional.has(field) || optional.has(`${field}@${type}`)) continue;
            delete changed[field];
          }
          if (zClientMessage.safeParse(changed).success) {
            // Only what is a value of the same type may pass, e.g. a lab with an empty name (unknown later on).
            expect(typeof value).toBe(typeof (message as Record<string, unknown>)[field]);
          }
        }
      }
    },
  );

  it('never throw anything but a report, whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(zClientMessage.safeParse(value).success).toBe(false);
      }),
    );
  });

  it('bound what the agent would have to keep', () => {
    const long = 'x'.repeat(1000);
    expect(zClientMessage.safeParse({ ...requests['run.start'], lab: long }).success).toBe(false);
    expect(zClientMessage.safeParse({ ...requests['run.list'], limit: 100_000 }).success).toBe(false);
    expect(zClientMessage.safeParse({ ...requests['run.get'], runId: '../../etc' }).success).toBe(false);
  });
});

describe('every schema', () => {
  const schemas: Record<string, z.ZodType> = {
    zAgentMessage,
    zDeviceInfo,
    zEndpointMessage,
    zEndpointRequest,
    zEventBody,
    zLabDescription,
    zRunEvent,
    zRunRecord,
    zRunResult,
    ...Object.fromEntries(Object.entries(AGENT_MESSAGES).map(([type, schema]) => [`agent ${type}`, schema])),
    ...Object.fromEntries(Object.entries(EVENT_BODIES).map(([kind, schema]) => [`event ${kind}`, schema])),
    ...Object.fromEntries(Object.entries(ENDPOINT_OPS).map(([op, { args }]) => [`endpoint ${op}`, args])),
  };

  it.each(Object.keys(schemas))('%s refuses what is no object, with a report', (name) => {
    for (const value of [undefined, null, 0, 'text', true, [], [{}], Symbol.iterator, () => 0]) {
      expect(schemas[name]!.safeParse(value).success).toBe(false);
    }
  });

  it('knows each agent message and each event by its name', () => {
    for (const [type, schema] of Object.entries(AGENT_MESSAGES)) expect(schema.shape.type.value).toBe(type);
    for (const [kind, schema] of Object.entries(EVENT_BODIES)) expect(schema.shape.kind.value).toBe(kind);
    expect(zAgentMessage.options.map((option) => option.shape.type.value).sort()).toEqual(
      Object.keys(AGENT_MESSAGES).sort(),
    );
    expect(zEventBody.options.map((option) => option.shape.kind.value).sort()).toEqual(
      Object.keys(EVENT_BODIES).sort(),
    );
  });
});

describe('endpoint commands', () => {
  const refused: [keyof typeof ENDPOINT_OPS, unknown][] = [
    ['open', { device: 'uroce0', clock: '-1' }],
    ['regMr', { pd: 1, length: 0, access: [] }],
    ['regMr', { pd: 1, length: 2 ** 40, access: [] }],
    ['regMr', { pd: 1, length: 8, access: ['everything'] }],
    ['createCq', { depth: 0 }],
    ['pollCq', { cq: 1, max: 1e9 }],
    ['readMemory', { mr: 1, offset: 0, length: 1 << 20 }],
    ['writeMemory', { mr: 1, offset: -1, base64: '' }],
    ['postSend', { qp: 1, wr: { opcode: 'NO_SUCH' } }],
    ['postSend', { qp: 1, wr: { opcode: 'RDMA_WRITE', remote: { addr: '12', rkey: 1 } } }],
    ['loop.start', { transport: 'ipx' }],
    [
      'loop.start',
      { transport: 'tcp', source: 1, role: 'initiator', measure: 'bandwidth', size: 1, port: 70_000 },
    ],
    ['faults', { rates: { drop: 2 } }],
  ];
  it.each(refused)('%s refuses %j', (op, args) => {
    expect(ENDPOINT_OPS[op].args.safeParse(args).success).toBe(false);
  });

  it('take what labs send', () => {
    expect(ENDPOINT_OPS.regMr.args.parse({ pd: 1, length: 4096, access: ['LOCAL_WRITE'] })).toBeTruthy();
    expect(
      ENDPOINT_OPS.postSend.args.parse({
        qp: 1,
        wr: { wrId: 1, opcode: 'RDMA_WRITE', local: [{ mr: 1 }], remote: { addr: '0x7f00', rkey: 9 } },
      }),
    ).toBeTruthy();
  });
});

describe('a loop on another agent', () => {
  const loop = { source: 1, transport: 'tcp', role: 'initiator', measure: 'bandwidth', size: 64, port: 1 };
  it.each([
    { size: 0 },
    { size: 0x4000_0001 },
    { durationMs: 0 },
    { durationMs: 86_400_001 },
    { omitMs: 60_001 },
    { messagesPerSecond: 0 },
    { connections: 65 },
    { memory: 0 },
  ])('may not be asked for with %o', (beyond) => {
    expect(zLoopOptions.safeParse(loop).success).toBe(true);
    expect(zLoopOptions.safeParse({ ...loop, ...beyond }).success).toBe(false);
  });
});
