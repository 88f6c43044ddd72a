// The header of a run: its state, place, parameters, length and capture.
import { existsSync } from 'node:fs';
import { commandOf } from '../program.js';
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf, ofMeasured } from '../loops.js';
import { problemsOf } from '../problems.js';
import { OPCODE } from '../wire.js';

/** The record has times by the wall clock in milliseconds, the stream by the monotonic one. */
const TWO_CLOCKS_S = 0.02;

const states = (evidence: Evidence) => itemsOf(evidence.data, 'run.state');

/** What the devices of a run are called by the verbs, or by the processes of a program. */
function devicesOf({ data }: Evidence): string[] {
  const opened = itemsOf(data, 'verb').filter(({ call }) => call === 'ibv_open_device');
  const names = opened.map(({ args }) => JSON.stringify(args.device).slice(1, -1));
  return names.length > 0 ? names : itemsOf(data, 'endpoint').map(({ device }) => device);
}

export const HEADER: Roads<Evidence> = {
  state: (claim, evidence) => claim.equal(states(evidence).at(-1)!.state, 'the last run.state event'),
  problems: (claim, { data }) => {
    const { count } = claim.match(/^(?<count>[\d,]+) problems?$/);
    claim.count(problemsOf(data).length, 'the failures in the stream', count);
  },
  device: (claim, evidence) =>
    claim.holds(devicesOf(evidence).includes(claim.text), 'what was opened', devicesOf(evidence).join(', ')),
  provider: (claim, evidence) => {
    const inKernel = devicesOf(evidence).some((name) => existsSync(`/sys/class/infiniband/${name}`));
    claim.holds(!inKernel, 'the kernel’s list of RDMA devices', 'a device of the kernel');
    claim.equal('user-space software', 'the kernel’s list of RDMA devices, which lacks it');
  },
  command: (claim, { data }) => claim.equal(commandOf(data), 'the command that was run'),
  created: (claim, { data }) => {
    const shown = Date.parse(claim.text.replace(',', ` ${new Date(data.run.createdAt).getFullYear()}`));
    claim.equal(
      Math.floor(data.run.createdAt / 1000),
      'the time at which it was created',
      String(shown / 1000),
    );
  },
  duration: (claim, evidence) => {
    const { how, figure, end } = claim.match(
      /^(?<how>Done|Cancelled|Ended) after (?<figure>[\d.,]+) s(?:, (?<end>.+))?\.$/,
    );
    const of = (state: string) => states(evidence).find((event) => event.state === state)!.t;
    const last = states(evidence).at(-1)!;
    const seconds = (last.t - of('running')) / 1e9;
    claim.figure(seconds, 'the run.state events', figure, TWO_CLOCKS_S);
    claim.equal(last.state === 'done' ? 'Done' : 'Ended', 'the last run.state event', how);
    const { program } = evidence;
    claim.equal(
      program ? `exit code ${program.exitCode}` : 'nothing',
      'how the process ended',
      end ?? 'nothing',
    );
  },
  capture: (claim, { packets }) => {
    const { count, bytes } = claim.match(/^(?<count>[\d,]+) packets?, (?<bytes>.+)$/);
    claim.count(packets.length, 'tshark', count);
    claim.quantity(sum(packets.map(({ kept }) => kept)), 'the lengths that tshark reads', bytes);
  },
  parameters: (claim, evidence) => {
    const known = evidence.data.run.lab === 'bulk' ? BULK : evidence.data.run.lab === 'program' ? {} : FLOW;
    const parts = claim.text === '' ? [] : claim.text.split(/, (?=[a-z])/);
    const titles = Object.keys(known);
    for (const part of parts) {
      const title = titles.find((each) => part.startsWith(`${each} `));
      if (title === undefined) claim.fail('the parameters that the audit knows', titles.join(', '), part);
      else known[title]!(claim, evidence, part.slice(title.length + 1));
    }
    claim.equal(titles.length, 'the number of parameters', String(parts.length));
  },
};

type Effective = (claim: Claim, evidence: Evidence, shown: string) => void;

function verbArgs({ data }: Evidence, call: string): Record<string, unknown> {
  const found = itemsOf(data, 'verb').find((event) => event.call === call && event.endpoint === 'client');
  return found?.args ?? {};
}

/** Bytes of a message: what was moved, over how many messages that was. */
function messageBytes({ data }: Evidence): number {
  const clients = loopsOf(data).filter(({ role }) => role === 'client');
  const of = (field: 'bytes' | 'messages') => sum(clients.map((loop) => ofMeasured(loop, field)));
  return of('bytes') / of('messages');
}

/** A loop ends with a completion, so a round lasts a little longer than it was told. */
const ROUND_OVERTIME = 0.25;

/** What the parameters of the header did, by title. */
const BULK: Readonly<Record<string, Effective>> = {
  transport: (claim, { data }, shown) => {
    const ran = new Set(loopsOf(data).map(({ transport }) => transport));
    claim.equal(ran.size === 2 ? 'both in turn' : [...ran].join(), 'the loops that ran', shown);
  },
  'message size': (claim, evidence, shown) =>
    claim.quantity(messageBytes(evidence), 'bytes over messages of all intervals', shown),
  operation: (claim, { packets }, shown) => {
    const data = packets.some(({ opcode }) => opcode === OPCODE.writeMiddle || opcode === OPCODE.writeOnly);
    claim.equal(data ? 'write' : 'another', 'the opcodes that tshark reads', shown);
  },
  memory: (claim, evidence, shown) =>
    claim.quantity(Number(verbArgs(evidence, 'ibv_reg_mr').length), 'the call of ibv_reg_mr', shown),
  depth: (claim, evidence, shown) =>
    claim.equal(`${depthOf(evidence)} WRs`, 'max_send_wr of ibv_create_qp', shown),
  'signal every': (claim, evidence, shown) => {
    const completions = evidence.latencies('rdma').sorted.length;
    const messages = sum(evidence.rounds('rdma').map((round) => round.messages));
    claim.equal(`${Math.round(messages / completions)} WRs`, 'messages over completions', shown);
  },
  completions: (claim, evidence, shown) => {
    const { channel } = verbArgs(evidence, 'ibv_create_cq');
    claim.equal(channel === null ? 'poll' : 'event', 'the channel of ibv_create_cq', shown);
  },
  rounds: (claim, { data }, shown) =>
    claim.count(
      loopsOf(data).filter((l) => l.transport === 'rdma' && l.role === 'client').length,
      'the loops',
      shown,
    ),
  duration: (claim, evidence, shown) => {
    const rounds = evidence.rounds('rdma');
    const seconds = sum(rounds.map((round) => round.seconds));
    claim.quantity(seconds * 1e9, 'the intervals that count', shown, ROUND_OVERTIME * 1e9 * rounds.length);
  },
  'warm-up': (claim, evidence, shown) => {
    for (const { client } of evidence.rounds('rdma')) {
      const ns = sum(client.intervals.filter(({ omitted }) => omitted).map(({ intervalNs }) => intervalNs));
      claim.quantity(ns, 'the intervals that are left out', shown, ROUND_OVERTIME * 1e9);
    }
  },
  'captured packets': (claim, { packets }, shown) =>
    claim.holds(packets.length <= Number(shown.replaceAll(',', '')), 'tshark', `${packets.length} packets`),
};

const FLOW: Readonly<Record<string, Effective>> = {
  size: (claim, { packets }, shown) =>
    claim.quantity(packets.find(({ remote }) => remote)!.remote!.length, 'the DMA length in the RETH', shown),
};

/** Work requests that may be outstanding. */
export function depthOf(evidence: Evidence): number {
  const { cap } = verbArgs(evidence, 'ibv_create_qp').qp_init_attr as { cap: { max_send_wr: number } };
  return cap.max_send_wr;
}
