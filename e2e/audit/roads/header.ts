// The header of a run: its state, place, parameters, length and capture.
import { existsSync } from 'node:fs';
import { againOf, commandOf } from '../program.js';
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { BADGES, COUNTERS_ROAD, linksOf } from '../links.js';
import { problemsOf } from '../causes.js';

/** Tolerance, s: the record has wall-clock times in milliseconds, the stream has monotonic ones. */
export const TWO_CLOCKS_S = 0.02;

const states = (evidence: Evidence) => itemsOf(evidence.data, 'run.state');

/** Seconds from the zero of the charts to the end. */
export const seconds = (evidence: Evidence): number => states(evidence).at(-1)!.t / 1e9;

/** Names of a run's devices, by the verbs calls or by the processes of a program. */
function devicesOf({ data }: Evidence): string[] {
  const opened = itemsOf(data, 'verb').filter(({ call }) => call === 'ibv_open_device');
  const names = opened.map(({ args }) => JSON.stringify(args.device).slice(1, -1));
  return names.length > 0 ? names : itemsOf(data, 'endpoint').map(({ device }) => device);
}

/** Checks the parts of the measured time. `each`: seconds of every transport. */
function divided(claim: Claim, evidence: Evidence, shown: string, each: readonly number[]): void {
  const { n, how } = claim.match(
    /^(?<n>\d+) transports(?<how> at once| × [\d.]+ s)?(?:, each in \d+ rounds)?$/,
    shown,
  );
  claim.count(each.length, 'the transports with rounds in the stream', n);
  claim.equal(String(evidence.together), 'the times of the loops', String(how === ' at once'));
  const seconds = /× ([\d.]+) s/.exec(how ?? '')?.[1];
  if (seconds !== undefined)
    claim.figure(sum(each) / each.length, 'the intervals that count, of each', seconds);
}

/** True for a run that opened no device and has simulations of fabrics. */
const isSimulated = (evidence: Evidence): boolean =>
  devicesOf(evidence).length === 0 && itemsOf(evidence.data, 'simulation').length > 0;

export const HEADER: Roads<Evidence> = {
  state: (claim, evidence) => claim.equal(states(evidence).at(-1)!.state, 'the last run.state event'),
  problems: (claim, { data }) => {
    const { count } = claim.match(/^(?<count>[\d,]+) problems?$/);
    claim.count(problemsOf(data).length, 'causes of the failures in the stream', count);
  },
  device: (claim, evidence) => {
    if (isSimulated(evidence)) return claim.equal('vlsim', 'its simulations');
    claim.holds(devicesOf(evidence).includes(claim.text), 'what was opened', devicesOf(evidence).join(', '));
  },
  // A badge per link that carried packets.
  provider: (claim, evidence) => {
    if (isSimulated(evidence)) return claim.equal('simulated', 'its simulations');
    const inKernel = devicesOf(evidence).some((name) => existsSync(`/sys/class/infiniband/${name}`));
    claim.holds(!inKernel, 'the kernel’s list of RDMA devices', 'a device of the kernel');
    const links = linksOf(evidence).map((link) => BADGES[link]);
    // A chart with the links in its legend has one badge for both.
    const both = links.length > 1 ? ['user-space, both links'] : [];
    const badges = links.length > 0 ? [...links, ...both] : ['user-space software'];
    claim.holds(badges.includes(claim.text), COUNTERS_ROAD, badges.join(' and '));
  },
  // The title of a run omits the folder of its program.
  command: (claim, { data }) =>
    claim.equal(commandOf(data).replace(/^\S*\//, ''), 'the command that was run'),
  'exec-command': (claim, { data }) =>
    claim.equal(againOf(data, Number(claim.data('command'))), 'the command that was run'),
  'joined-from': (claim, { data }) => {
    const parts = data.run.parts ?? [];
    claim.equal(
      `Joined from ${parts.length} runs: ${parts.map(({ number }) => `run ${number}`).join(', ')}.`,
      'the record of the run',
    );
  },
  'part-of': (claim, { data }) =>
    claim.equal(`Part of run ${data.run.partOf?.number}.`, 'the record of the run'),
  imported: (claim, { data }) => {
    const { number, host } = claim.match(/ from (?<host>\S+), where it is run (?<number>\d+)( \(.+\))?\.$/);
    claim.equal(data.run.imported?.number ?? 'none', 'the record of the run', number);
    claim.equal(data.run.imported?.host ?? 'none', 'the record of the run', host);
  },
  created: (claim, { data }) => {
    const shown = Date.parse(claim.text.replace(',', ` ${new Date(data.run.createdAt).getFullYear()}`));
    claim.equal(
      Math.floor(data.run.createdAt / 1000),
      'the time at which it was created',
      String(shown / 1000),
    );
  },
  duration: (claim, evidence) => {
    const { how, figure, measured, division, alone, end } = claim.match(
      /^(?<how>Done|Cancelled|Ended) after (?<figure>[\d.,]+) s(?:, measured for (?<measured>[\d.,]+) s(?: \((?<division>.+)\)| in (?<alone>\d+) rounds)?)?(?:, (?<end>[^()]+))?\.$/,
    );
    const last = states(evidence).at(-1)!;
    claim.figure(seconds(evidence), 'the run.state events', figure, TWO_CLOCKS_S);
    claim.equal(last.state === 'done' ? 'Done' : 'Ended', 'the last run.state event', how);
    const rounds = MEASURED.map((transport) => evidence.rounds(transport)).filter(({ length }) => length > 0);
    const each = rounds.map((all) => sum(all.map((round) => round.seconds)));
    const all = evidence.together ? Math.max(...each) : sum(each);
    if (measured !== undefined || all > 0) claim.figure(all, 'the intervals that count', measured);
    if (division !== undefined) divided(claim, evidence, division, each);
    const most = Math.max(0, ...rounds.map(({ length }) => length));
    const shown = alone ?? /, each in (\d+) rounds$/.exec(division ?? '')?.[1];
    if (most > 1 || shown !== undefined) claim.count(most, 'the rounds in the stream', shown ?? 'none');
    const { program } = evidence;
    claim.equal(
      program ? `exit code ${program.exitCode}` : 'nothing',
      'how the process ended',
      end ?? 'nothing',
    );
  },
  'rerun-command': (claim, { data }) => {
    const { set = '' } = claim.match(/^npx verbslab run bulk(?<set>( --set [\w.=-]+)*)$/);
    for (const [, name = '', value] of set.matchAll(/--set (\w+)=(\S+)/g))
      claim.equal(
        JSON.stringify(data.run.parameters[name]).replaceAll('"', ''),
        'the parameters of the run',
        value,
      );
  },
  capture: (claim, { packets }) => {
    const { count, bytes } = claim.match(/^(?<count>[\d,]+) records?, (?<bytes>.+)$/);
    claim.count(packets.length, 'tshark', count);
    claim.quantity(sum(packets.map(({ kept }) => kept)), 'the lengths that tshark reads', bytes);
  },
};
