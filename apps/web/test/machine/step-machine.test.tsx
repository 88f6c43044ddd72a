import { LABS } from '@verbslab/labs';
import { decodeFile, type PacketRow } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../src/connection/run-view';
import { along } from '../../src/run/machine/travel-over';
import { Player } from '../../src/run/machine/player';
import StepMachine from '../../src/run/machine/step-machine';
import { machineModel } from '../../src/run/model/machine/machine';
import { sentWithin, travelOf } from '../../src/run/model/machine/travel';
import { stepLog } from '../../src/run/model/step-log';
import type { RunModel } from '../../src/run/model/run-model';
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
  it('leads through the packets between the posting and the CQE, to the memory that their key names', () => {
    const run = recorded('minimal-flow');
    const step = stepLog(run, lab).find(({ id }) => id === 'write')!;
    const [work] = sentWithin(run, step.begin, step.end);
    const machine = machineModel(run, work!.posted);
    const { packets } = decodeFile(
      new Uint8Array(readFileSync(new URL('../../../../testdata/rxe-write-8pc-loss.pcap', import.meta.url))),
    );
    // Rows of a real capture, as if they belonged to this connection.
    const first = packets.find(({ rkey }) => rkey !== undefined)!;
    const ack = packets.find(({ kind }) => kind === 'ack')!;
    const rows: PacketRow[] = [
      { ...first, destQp: 8729, rkey: 0x1b9d489d },
      { ...ack, destQp: 7578 },
      { ...ack, destQp: 99 },
    ];
    run.event({
      seq: 200,
      t: 0,
      kind: 'source',
      source: 1,
      transport: 'rdma',
      role: 'client',
      what: 'tap',
      label: '',
    });
    const life = work!.life!;
    const all = [life.firstTx!, life.acked!, life.acked!].map((t, i) => ({
      ...{ t, tapSeq: i, direction: i === 0 ? 'sent' : 'received', flags: 0, origLen: 0 },
      ...{ bytes: new Uint8Array(), source: 1, lostBefore: 0 },
    }));
    const some = Object.assign(Object.create(run) as RunModel, { packets: { all, length: all.length } });
    const { stages } = travelOf(some, machine, work!, [0, 1, 2], (index) => rows[index]);
    expect(
      stages.map(({ id, from, to }) => [id, `${from.endpoint} ${from.at}`, `${to.endpoint} ${to.at}`]),
    ).toEqual([
      ['posted', 'client program', 'client SQ'],
      ['packet', 'client MR', 'server MR'],
      ['packet', 'server device', 'client device'],
      ['cqe', 'client device', 'client CQ'],
      ['polled', 'client CQ', 'client program'],
    ]);
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
