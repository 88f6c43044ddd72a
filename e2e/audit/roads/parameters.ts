// The parameters of a run, each compared with its effect.
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf, ofMeasured } from '../loops.js';
import { OPCODE } from '../wire.js';
import { memberOf } from './fabric.js';

type Effective = (claim: Claim, evidence: Evidence, shown: string) => void;

function verbArgs({ data }: Evidence, call: string): Record<string, unknown> {
  const found = itemsOf(data, 'verb').find((event) => event.call === call && event.endpoint === 'client');
  return found?.args ?? {};
}

/** Bytes per message: bytes moved over messages moved. */
function messageBytes({ data }: Evidence): number {
  const clients = loopsOf(data).filter(({ role }) => role === 'client');
  const of = (field: 'bytes' | 'messages') => sum(clients.map((loop) => ofMeasured(loop, field)));
  return of('bytes') / of('messages');
}

/** Tolerance, s: a loop ends with a completion, so a round lasts a little longer than its parameter. */
const ROUND_OVERTIME = 0.25;

/** Operations by the values of enum ibv_wc_opcode in completions. */
const OPERATIONS = ['send', 'write', 'read'];
/** Operations by the first packet of a message or a response. */
const ON_THE_WIRE: Readonly<Record<number, string>> = {
  [OPCODE.sendFirst]: 'send',
  [OPCODE.sendOnly]: 'send',
  [OPCODE.writeFirst]: 'write',
  [OPCODE.writeOnly]: 'write',
  [OPCODE.responseFirst]: 'read',
  [OPCODE.responseOnly]: 'read',
};

/** Number of rounds of each transport, by the loops of its client. */
const roundsOfEach = (data: RunExport): number[] =>
  MEASURED.map((of) => loopsOf(data).filter((l) => l.transport === of && l.role === 'client').length);

/** Checks of the parameters in the header, by title. */
const BULK: Readonly<Record<string, Effective>> = {
  transport: (claim, evidence, shown) => {
    const ran = new Set(loopsOf(evidence.data).map(({ transport }) => transport));
    const both = evidence.together ? 'both at once' : 'both in turn';
    const several = ran.size === 3 ? 'all in turn' : both;
    const alone = [...ran].map((one) => (one === 'shm' ? 'rdma shm' : one)).join();
    claim.equal(ran.size > 1 ? several : alone, 'the loops that ran, and when', shown);
  },
  'message size': (claim, evidence, shown) =>
    claim.quantity(messageBytes(evidence), 'bytes over messages of all intervals', shown),
  operation: (claim, { data, wire }, shown) => {
    const completed = itemsOf(data, 'completions').flatMap(({ columns }) =>
      columns.meta.map((meta) => OPERATIONS[meta & 0xff] ?? 'another'),
    );
    claim.equal([...new Set(completed)].join(), 'the opcodes of the completions', shown);
    if (!wire) return;
    const sent = wire.packets.flatMap(({ opcode }) => ON_THE_WIRE[opcode] ?? []);
    claim.equal([...new Set(sent)].join(), 'the opcodes that tshark reads', shown);
  },
  memory: (claim, evidence, shown) =>
    claim.quantity(Number(verbArgs(evidence, 'ibv_reg_mr').length), 'the call of ibv_reg_mr', shown),
  depth: (claim, evidence, shown) =>
    claim.count(depthOf(evidence), 'max_send_wr of ibv_create_qp', shown.replace(/ WRs$/, '')),
  'signal every': (claim, evidence, shown) => {
    const completions = sum((['rdma', 'shm'] as const).map((t) => evidence.latencies(t).sorted.length));
    const messages = sum(evidence.verbsRounds.map((round) => round.messages));
    claim.equal(`${Math.round(messages / completions)} WRs`, 'messages over completions', shown);
  },
  recovery: (claim, { data }, shown) =>
    claim.equal(
      itemsOf(data, 'policies')[0]?.qps[0]?.recovery.toUpperCase() ?? 'GO-BACK-N',
      'the samples of policies, or none',
      shown.toUpperCase(),
    ),
  'congestion control': (claim, { data }, shown) =>
    claim.equal(
      itemsOf(data, 'policies')[0]?.qps[0]?.congestion ?? 'none',
      'the samples of policies, or none',
      shown
        .toLowerCase()
        .replace('ns-3', 'ns3')
        .replace(/ \((.*)\)/, '-$1'),
    ),
  completions: (claim, evidence, shown) => {
    const { channel } = verbArgs(evidence, 'ibv_create_cq');
    claim.equal(channel === null ? 'poll' : 'event', 'the channel of ibv_create_cq', shown);
  },
  rounds: (claim, { data }, shown) =>
    claim.count(Math.max(...roundsOfEach(data)), 'the loops of each transport', shown),
  'duration per transport': (claim, evidence, shown) => {
    for (const transport of MEASURED) {
      const rounds = evidence.rounds(transport);
      if (rounds.length === 0) continue;
      const seconds = sum(rounds.map((round) => round.seconds));
      claim.quantity(seconds * 1e9, 'the intervals that count', shown, ROUND_OVERTIME * 1e9 * rounds.length);
    }
  },
  'warm-up': (claim, evidence, shown) => {
    for (const { client } of evidence.verbsRounds) {
      const ns = sum(client.intervals.filter(({ omitted }) => omitted).map(({ intervalNs }) => intervalNs));
      claim.quantity(ns, 'the intervals that are left out', shown, ROUND_OVERTIME * 1e9);
    }
  },
  'captured packets': (claim, { wire }, shown) => {
    const captured = wire?.packets.length ?? 0;
    claim.holds(captured <= Number(shown.replaceAll(',', '')), 'tshark', `${captured} packets`);
  },
};

const FLOW: Readonly<Record<string, Effective>> = {
  // The default is automatic: every endpoint of the audit shares memory.
  link: (claim, { asked }, shown) => claim.equal(asked.link ?? 'auto', 'what the test asked for', shown),
  'message size': (claim, { packets }, shown) =>
    claim.quantity(packets.find(({ remote }) => remote)!.remote!.length, 'the DMA length in the RETH', shown),
};

const scenarioRoad = 'the scenarios of the simulations';
const scenariosOf = ({ data }: Evidence) => itemsOf(data, 'simulation').map(({ scenario }) => scenario);
/** Parameters of the go-back-0 livelock. */
const LIVELOCK: Readonly<Record<string, Effective>> = {
  'packets per loss': (claim, evidence, shown) => {
    for (const one of scenariosOf(evidence))
      claim.count(memberOf(one, 'link', 'lose_every'), scenarioRoad, shown);
  },
  'path MTU': (claim, evidence, shown) => {
    for (const one of scenariosOf(evidence))
      claim.equal(memberOf(one, 'transport', 'mtu'), scenarioRoad, shown);
  },
  'largest message': (claim, evidence, shown) => {
    const sizes = scenariosOf(evidence).map((one) => memberOf(one, 'transport', 'message_bytes'));
    claim.quantity(Math.max(...sizes), scenarioRoad, shown);
  },
  'virtual time of each simulation': (claim, evidence, shown) => {
    for (const { result } of itemsOf(evidence.data, 'simulation'))
      claim.quantity((result?.us ?? NaN) * 1000, 'the results of the simulations', shown);
  },
};

/** Checks of the parameters of a lab, by title. */
const PARAMETERS_OF: Readonly<Record<string, Readonly<Record<string, Effective>>>> = {
  bulk: BULK,
  program: {},
  'go-back-0-livelock': LIVELOCK,
};

/** Largest number of outstanding work requests. */
export function depthOf(evidence: Evidence): number {
  const { cap } = verbArgs(evidence, 'ibv_create_qp').qp_init_attr as { cap: { max_send_wr: number } };
  return cap.max_send_wr;
}

/** Titles of parameters in the form, by name. */
const TITLES: Readonly<Record<string, string>> = {
  transport: 'transport',
  size: 'message size',
  operation: 'operation',
  depth: 'depth',
  congestion: 'congestion control',
  repeat: 'rounds',
  duration: 'duration per transport',
  omit: 'warm-up',
  capturePackets: 'captured packets',
};

/** Checks each part of the line by its effect. Returns the titles. */
function titlesOf(claim: Claim, evidence: Evidence): string[] {
  const known = PARAMETERS_OF[evidence.data.run.lab] ?? FLOW;
  const titles = Object.keys(known);
  const parts = claim.text === '' ? [] : claim.text.split(/, (?=[a-z])/);
  return parts.map((part) => {
    const title = titles.find((each) => part.toLowerCase().startsWith(`${each.toLowerCase()} `));
    if (title === undefined)
      return claim.fail('the parameters that the audit knows', titles.join(', '), part);
    known[title]!(claim, evidence, part.slice(title.length + 1));
    return title;
  });
}

/** Checks each part of the line of a simulation by the scenario that its event keeps. */
function ofScenario(claim: Claim, { data }: Evidence): void {
  const parts = claim.text.split(', ');
  claim.equal(Object.keys(data.run.parameters).length, 'the number of parameters', String(parts.length));
  const scenario = itemsOf(data, 'simulation')[0]?.scenario as Record<string, unknown>;
  for (const part of parts) {
    const { path = '', value } = claim.match(/^(?<path>\S+) (?<value>.+)$/, part);
    const names = path === 'scenario' ? ['name'] : path.split('.');
    const kept = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], scenario);
    claim.equal(typeof kept === 'string' ? kept : JSON.stringify(kept), 'the scenario of its event', value);
  }
}

export const PARAMETERS: Roads<Evidence> = {
  // The header has all parameters.
  parameters: (claim, evidence) => {
    const { lab, parameters } = evidence.data.run;
    if (lab === 'simulation') return ofScenario(claim, evidence);
    const there = lab === 'program' ? 0 : Object.keys(parameters).length;
    claim.equal(there, 'the number of parameters', String(titlesOf(claim, evidence).length));
  },
  // A row of the list has the parameters that differ from the defaults. A program's arguments are in its title.
  'run-parameters': (claim, evidence) => {
    if (evidence.data.run.lab === 'program') return claim.equal('', 'its title, which has its arguments');
    const asked = Object.keys(evidence.asked).map((name) => TITLES[name] ?? name);
    const shown = titlesOf(claim, evidence);
    claim.equal(asked.toSorted().join(), 'what the test asked for', shown.toSorted().join());
  },
};
