import { LABS } from '@verbslab/labs';
import { analyse, decodeFile, type PacketRow } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../src/connection/run-view';
import { along, landedAt } from '../../src/run/machine/travel-over';
import { Player } from '../../src/run/machine/player';
import StepMachine from '../../src/run/machine/step-machine';
import { machineModel } from '../../src/model/machine/machine';
import { sentWithin, travelOf } from '../../src/model/machine/travel';
import { stepLog } from '../../src/model/step-log';
import type { RunModel } from '../../src/model/run-model';
import { recorded } from './recorded';

vi.mock('next/navigation', () => ({
  useRouter: () => ({ replace: () => undefined }),
  useSearchParams: () => new URLSearchParams(),
}));

const lab = LABS.find(({ description }) => description.id === 'minimal-flow')!.description;

function drawn(id: string, run: RunModel = recorded('minimal-flow')): string {
  const steps = stepLog(run, lab);
  const step = steps.find((one) => one.id === id)!;
  return renderToStaticMarkup(
    <StepMachine view={{ model: run, paused: false } as RunView} lab={lab} steps={steps} step={step} />,
  );
}
const looks = (html: string): string[] =>
  [...html.matchAll(/data-kind="(\w+)" data-endpoint="(\w+)"[^>]*?data-look="(\w+)"/g)].map(
    ([, kind, endpoint, look]) => `${endpoint} ${kind} ${look}`,
  );

describe('the machine of a step', () => {
  it('marks what the step made, used and destroyed', () => {
    expect(looks(drawn('memory'))).toEqual(
      expect.arrayContaining(['client PD new', 'client MR new', 'server PD new', 'server MR new']),
    );
    expect(looks(drawn('rtr'))).toEqual(['client QP used', 'server QP used']);
    expect(looks(drawn('teardown')).filter((look) => look.endsWith('gone'))).toHaveLength(8);
  });

  it('draws what a step will make before it runs', () => {
    // The run waits for its second step.
    const run = recorded('minimal-flow', { mode: 'step' }, 19);
    expect(looks(drawn('memory', run))).toEqual(
      expect.arrayContaining(['client PD planned', 'client MR planned', 'server MR planned']),
    );
    expect(looks(drawn('device', run)).filter((look) => look.endsWith('planned'))).toEqual([]);
  });

  it('says in words what the step does, and names the stages of its request with their times', () => {
    const html = drawn('write');
    expect(html).toMatch(/<figcaption.*Sends.*WRITE.*<\/figcaption>/);
    expect([...html.matchAll(/data-shows="travel-stage"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      ...['RDMA_WRITE posted', 'CQE written', 'CQE polled'],
    ]);
    const times = [...html.matchAll(/data-shows="travel-time"[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(times).toEqual(['0', '+189\u00a0µs', '+8.21\u00a0ms']);
    expect(drawn('rtr')).not.toContain('travel-stage');
  });
});

describe('the way of a work request', () => {
  const WRITE_BYTES = 10_000;

  /** The run, and its WRITE with the packets of a real one: as they left the client, and the answer as it came. */
  function written(more: { flags?: number } = {}) {
    const run = recorded('minimal-flow');
    const step = stepLog(run, lab).find(({ id }) => id === 'write')!;
    const [work] = sentWithin(run, step.begin, step.end);
    const capture = decodeFile(
      new Uint8Array(readFileSync(new URL('../../../../testdata/rxe-verbs-and-cm.pcap', import.meta.url))),
    );
    const message = capture.analysis.messages.find(
      ({ kind, retransmissions, requests, decidedBy }) =>
        kind === 'RDMA WRITE' && retransmissions === 0 && requests.length > 1 && decidedBy !== undefined,
    )!;
    const life = work!.life!;
    const rows: PacketRow[] = [...message.requests, message.decidedBy!].map((at, index) => {
      const sent = at !== message.decidedBy;
      const row = { ...capture.packets[at]!, index, t: sent ? life.firstTx! : life.acked! };
      row.destQp = sent ? 8729 : 7578;
      if (row.rkey !== undefined) row.rkey = 0x1b9d489d;
      row.direction = sent ? 'out' : 'in';
      return row;
    });
    run.event({
      ...{ seq: 200, t: 0, kind: 'source', source: 1, transport: 'rdma', role: 'client', endpoint: 'client' },
      ...{ what: 'tap', label: '' },
    });
    const all = rows.map(({ t, direction }, i) => ({
      ...{
        t,
        tapSeq: i,
        direction: direction === 'out' ? 'sent' : 'received',
        flags: i === 0 ? (more.flags ?? 0) : 0,
      },
      ...{ origLen: 0, bytes: new Uint8Array(), source: 1, lostBefore: 0 },
    }));
    const some = Object.assign(Object.create(run) as RunModel, { packets: { all, length: all.length } });
    const [client, server] = [rows[0]!.src, rows[0]!.dst];
    const analysis = analyse(rows, {
      connections: [
        {
          ends: [
            { ip: client, qpn: 7578, name: 'client' },
            { ip: server, qpn: 8729, name: 'server' },
          ],
        },
      ],
    });
    const payload = rows.slice(0, -1).map(({ payloadLength }) => payloadLength);
    const [same] = sentWithin(some, step.begin, step.end);
    return { run: some, machine: machineModel(run, work!.posted), work: same!, analysis, payload };
  }

  it('leads through the packets of its message, to the memory that its key names', () => {
    const { run, machine, work, analysis, payload } = written();
    const { stages, landing } = travelOf(run, machine, work, analysis);
    expect(
      stages.map(({ id, from, to }) => [id, `${from.endpoint} ${from.at}`, `${to.endpoint} ${to.at}`]),
    ).toEqual([
      ['posted', 'client program', 'client SQ'],
      ...payload
        .slice(0, stages.length - 4)
        .map((_, i) => [i === 2 && payload.length > 5 ? 'packets' : 'packet', 'client MR', 'server MR']),
      ['packet', 'server device', 'client device'],
      ['cqe', 'client device', 'client CQ'],
      ['polled', 'client CQ', 'client program'],
    ]);
    expect(landing!.into).toMatchObject({ offset: 0, bytes: WRITE_BYTES });
    const sum = payload.reduce((total, one) => total + one, 0);
    expect(stages.map(({ landed }) => landed).slice(0, 3)).toEqual([
      0,
      payload[0],
      payload[0]! + payload[1]!,
    ]);
    expect([landedAt(stages, 0), landedAt(stages, stages.length)]).toEqual([0, sum]);
  });

  it('ends on the wire where fault injection dropped a packet, and counts nothing of it', () => {
    const { run, machine, work, analysis, payload } = written({ flags: 2 });
    const { stages } = travelOf(run, machine, work, analysis);
    expect(stages[1]).toMatchObject({ to: { at: 'lost' }, landed: 0 });
    expect(stages[1]!.label).toMatch(/, dropped$/);
    expect(stages[2]!.landed).toBe(payload[1]);
  });

  it('without a timeline counts the messages of its QP, and shows no packets where they disagree', () => {
    const { run, machine, work, analysis, payload } = written();
    const sum = payload.reduce((total, one) => total + one, 0);
    const unstamped = work as { life: unknown; bytes: number };
    unstamped.life = null;
    unstamped.bytes = sum - 1;
    expect(travelOf(run, machine, work, analysis).hasPackets).toBe(false);
    unstamped.bytes = sum;
    expect(travelOf(run, machine, work, analysis).hasPackets).toBe(true);
  });

  it('is walked evenly along its path', () => {
    const path = [
      [0, 0],
      [10, 0],
      [10, 30],
    ] as const;
    expect(along(path, 0)).toEqual([0, 0]);
    expect(along(path, 0.25)).toEqual([10, 0]);
    expect(along(path, 0.5)).toEqual([10, 10]);
    expect(along(path, 1)).toEqual([10, 30]);
  });
});

describe('the player', () => {
  it('goes through the stages, stops when it is told to, and begins again after the end', () => {
    let frame: ((now: number) => void) | null = null;
    let now = 0;
    vi.stubGlobal('requestAnimationFrame', (f: (now: number) => void) => {
      frame = f;
      return 1;
    });
    vi.stubGlobal('cancelAnimationFrame', () => (frame = null));
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const tick = (ms: number) => {
      const due = frame;
      frame = null;
      due?.((now += ms));
    };
    const player = new Player(3);
    expect([player.over, player.playing]).toEqual([3, false]);
    player.play();
    expect([player.over, player.playing]).toEqual([0, true]);
    tick(1000);
    expect(player.over).toBe(1);
    player.pause();
    tick(5000);
    expect([player.over, player.playing]).toEqual([1, false]);
    player.play();
    tick(10_000);
    expect([player.over, player.playing]).toEqual([3, false]);
    player.seek(-1);
    expect(player.position).toBe(0);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
});
