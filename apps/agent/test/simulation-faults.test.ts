/** What becomes of a simulation whose figures are void: a simulator that says so stands in for vlsim. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Simulation } from '@verbslab/protocol';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Simulations } from '../src/simulator/simulation.js';
import { faultOf, simulate } from '../src/simulator/simulator.js';

const { folder, program } = vi.hoisted(() => {
  const at = `${process.env['TMPDIR'] ?? '/tmp'}/verbslab-fault-${process.pid}`;
  return { folder: at, program: `${at}/vlsim` };
});
vi.mock('@verbslab/native', () => ({ vlsimPath: program }));

const RESULT = {
  type: 'result',
  ...{ us: 10, trace: '0', bytes_acknowledged: 0, goodput_gbps: 0, queue_max_bytes: 0 },
  ...{ flows_finished: 0, flows_failed: 0, flows_unfinished: 1, drops: {}, packets: {} },
  ...{ marked: 0, cnps: 0, pauses: 0, paused_us: 0, timeouts: 0, naks: 0, retransmitted: 0 },
  laws: { checked: 7, broken: [] as string[] },
};

/** A simulator that writes these lines, says something on stderr, and ends with this status. */
function stand(result: object, status: number): void {
  const lines = [{ type: 'scenario', hosts: 2, switches: 1, links: 2, rtt_us: 1, bdp_bytes: 1 }, result];
  const script = lines.map((line) => `echo '${JSON.stringify(line)}'`).join('\n');
  writeFileSync(
    program,
    `#!/bin/sh\ncat > ${join(folder, 'read')}\n${script}\necho 'vlsim: So.' >&2\nexit ${status}\n`,
  );
  chmodSync(program, 0o755);
}

describe('a simulation that broke a law, or could not go on', () => {
  beforeAll(() => void mkdirSync(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('fails, and keeps its result', async () => {
    const laws = { checked: 7, broken: ['Packets on the link of switch 0 port 1 class 3: 4 are not 5.'] };
    stand({ ...RESULT, laws }, 3);
    const recorded: Simulation[] = [];
    const simulations = new Simulations(new AbortController().signal, (one) => recorded.push(one));
    await expect(simulations.run({})).rejects.toMatchObject({
      code: 'SIMULATION_BROKEN',
      message: expect.stringContaining('class 3: 4 are not 5.') as string,
    });
    expect(recorded).toMatchObject([{ result: { us: 10, laws } }]);
  });

  it('keeps what was done until a limit ended it', async () => {
    stand({ ...RESULT, stopped_by: 'memory', error: 'It holds more than 16 MiB.' }, 4);
    const recorded: Simulation[] = [];
    const simulations = new Simulations(new AbortController().signal, (one) => recorded.push(one));
    await expect(simulations.run({})).rejects.toMatchObject({
      code: 'SIMULATION_ENDED',
      message: 'The simulation could not go on after 10 µs: It holds more than 16 MiB.',
    });
    expect(recorded).toMatchObject([{ result: { stopped_by: 'memory' } }]);
  });

  it('is one only if a law says so', async () => {
    stand(RESULT, 0);
    const { result } = await simulate({}, { flows: false, onSample: () => undefined });
    expect(faultOf(result)).toBeNull();
    expect(faultOf({ ...result, laws: undefined })).toBeNull();
    stand(RESULT, 7);
    await expect(simulate({}, { flows: false, onSample: () => undefined })).rejects.toMatchObject({
      code: 'SCENARIO_REFUSED',
    });
  });
});
