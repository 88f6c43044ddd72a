import type { ProgramWork, RunRecord } from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { runsText } from '../src/cli/runs.js';

const WORK: ProgramWork = {
  processes: 1,
  device: 'uroce0',
  messages: 3000,
  bytes: 5e9,
  timedBytes: 4e9,
  seconds: 2,
  latencyUs: { n: 1000, min: 1, p50: 2, p90: 3, p99: 4.25, p999: null, max: 6 },
  sampled: false,
  peers: [],
  peerCount: 0,
};

function program(work?: ProgramWork): RunRecord {
  const parameters = { command: ['ib_write_bw'] };
  const program = { exitCode: 0, signal: null, ...(work ? { work } : {}) };
  return {
    ...{ id: '0123456789', number: 7, lab: 'program', title: 'ib_write_bw', mode: 'all', state: 'done' },
    ...{ parameters, createdAt: 0, startedAt: 0, endedAt: 2000, waitingFor: null, progress: null },
    ...{ lastSeq: 1, recordedBytes: 0, droppedRecords: 0, capture: null, error: null },
    result: {
      ...{ lab: 'program', state: 'done', provider: 'user-space', device: 'uroce0', parameters },
      ...{ transports: {}, checks: [], captureFile: null, program },
    },
  };
}

describe('the list of runs in a terminal', () => {
  it('has the rate and the latency of a program where a lab has those of RDMA', () => {
    const [head, units, row] = runsText([program(WORK)]).split('\n');
    expect(head).toMatch(/Started \(UTC\) +RDMA +RDMA p99$/);
    expect(units).toMatch(/^ +Gb\/s +µs$/);
    expect(row).toMatch(/ 16\.0 +4\.25$/);
  });

  it('gives a rate far below a gigabit a unit of its own', () => {
    const row = (timedBytes: number) => runsText([program({ ...WORK, timedBytes })]).split('\n')[2];
    expect(row(2750)).toMatch(/ 11\.0\u00a0kb\/s +4\.25$/);
    expect(row(5)).toMatch(/ 20\.0\u00a0b\/s +4\.25$/);
  });

  it('heads figures with the link that carried their packets, and with no link where there were several', () => {
    const over = (links?: ('udp' | 'shm')[]): RunRecord => {
      const run = program(WORK);
      return { ...run, result: { ...run.result!, ...(links ? { links } : {}) } };
    };
    const heading = (...runs: RunRecord[]) => runsText(runs).split('\n')[0]!;
    expect(heading(over(['udp']), over(['udp']))).toMatch(/ RDMA\/UDP +RDMA\/UDP p99$/);
    expect(heading(over(['udp', 'shm']), over(['udp']))).toMatch(/ RDMA, other +RDMA, other p99$/);
    expect(heading(over(['udp']), over(['shm']))).toMatch(
      / RDMA\/UDP +RDMA\/shm +RDMA\/UDP p99 +RDMA\/shm p99$/,
    );
  });

  it('has no column for what no program measured', () => {
    expect(runsText([program()])).not.toContain('RDMA');
    expect(runsText([program({ ...WORK, seconds: null, latencyUs: null })])).not.toContain('RDMA');
  });
});
