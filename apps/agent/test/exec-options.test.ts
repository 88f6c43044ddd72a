/** Options of `verbslab exec`, which the run of its program keeps to be run again. */
import { execOptionsOf } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { exec } from './helpers/exec.js';

it('are kept with the command, except those that belong to that one run', async () => {
  const home = newHome();
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const { client } = recorder;
  const options = [
    ...['--link', 'udp', '--recovery', 'go-back-0', '--congestion', 'dcqcn-nic', '--line-rate', '25'],
    ...['--report', 'text', '--faults', 'loss=1%', '--faults', 'rate=4mbit,at=1s'],
  ];
  const once = ['--pcap', `${home}/%p.pcapng`];
  const first = exec(home, ['sleep', '30'], [...once, ...options]);
  await recorder.untilMessage('run.changed', ({ run }) => run.lab === 'program');
  const { runs } = await client.request('run.list', {});
  const { id } = runs[0]!;
  expect(execOptionsOf(runs[0]!)).toEqual([options]);
  const second = exec(home, ['true'], ['--with', id]);
  expect((await second.ended).code).toBe(0);
  first.child.kill('SIGTERM');
  await first.ended;
  const { run } = await client.request('run.get', { runId: id });
  expect(execOptionsOf(run)).toEqual([options, []]);
  expect(run.result!.program!.commands![1]).not.toHaveProperty('options');
});
