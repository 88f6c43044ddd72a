import { LABS } from '@verbslab/labs';
import { analyze, decodeFile, type PacketRow } from '@verbslab/roce';
import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../src/connection/run-view';
import StepMachine from '../../src/run/machine/step-machine';
import { bookOf, sentWithin } from '../../src/model/machine/book';
import type { Work } from '../../src/model/machine/work';
import { messageOfWork, packetsOfMessage } from '../../src/model/machine/work-message';
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

  it('says in words what the step does', () => {
    expect(drawn('write')).toMatch(/<figcaption.*Sends.*WRITE.*<\/figcaption>/);
  });
});

describe('the packets of a work request', () => {
  /** The run, its WRITE and its QP, and the packets of a real WRITE from and to these QPs. */
  function written() {
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
      return {
        ...capture.packets[at]!,
        ...{ index, t: sent ? life.firstTx! : life.acked!, destQp: sent ? 8729 : 7578 },
        direction: sent ? ('out' as const) : ('in' as const),
      };
    });
    const [client, server] = [rows[0]!.src, rows[0]!.dst];
    const analysis = analyze(rows, {
      connections: [
        {
          ends: [
            { ip: client, qpn: 7578, name: 'client' },
            { ip: server, qpn: 8729, name: 'server' },
          ],
        },
      ],
    });
    const qp = bookOf(run).objects.find(({ kind, number }) => kind === 'QP' && number === 7578)!;
    const bytes = rows.reduce((sum, { payloadLength }) => sum + payloadLength, 0);
    return { run, qp, work: work as Work & { life: unknown; bytes: number }, analysis, bytes };
  }

  it('are found by the messages of its QP without a timeline, and not where they disagree', () => {
    const { run, qp, work, analysis, bytes } = written();
    work.life = null;
    work.bytes = bytes - 1;
    expect(messageOfWork(run, qp, work, analysis)).toBeNull();
    work.bytes = bytes;
    const { message } = messageOfWork(run, qp, work, analysis)!;
    expect(packetsOfMessage(message, analysis)).toEqual(analysis.rows.map((_, i) => i));
  });
});
