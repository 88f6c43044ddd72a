// The machine of a run: its objects, their states, and the fill levels of their queues at the time of the picture.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type ItemOf, type RunExport } from '../export.js';
import { parseFigure } from '../figures.js';
import { hex6 } from './packets.js';
import { sampledQueue } from './queues.js';
import { gbpsFigure } from './gbps.js';

type Wr = ItemOf<'wr'>;

const at = (claim: Claim): number => Number(claim.data('at'));
/** Calls of the statement's endpoint. */
const callsOf = (claim: Claim, data: RunExport) =>
  itemsOf(data, 'verb').filter(({ endpoint, error }) => endpoint === claim.data('endpoint') && !error);
const isProgram = ({ run }: RunExport): boolean => run.lab === 'program';

const nested = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

/** An object with its name on the page and its lifetime. */
interface Known {
  name: string;
  from: number;
  to: number;
  /** Arguments of the call that made the object. */
  attrs: unknown;
}

/** Objects of the endpoint, from the calls of a lab or the object events of a program. */
export function objectsOf(claim: Claim, data: RunExport, kind: string): Known[] {
  if (isProgram(data)) {
    const events = itemsOf(data, 'object').filter(
      (e) => e.endpoint === claim.data('endpoint') && e.object === kind,
    );
    return events
      .filter(({ phase }) => phase === 'made')
      .map((e) => ({
        name: nameIn(e.object, e.number),
        from: e.t,
        to:
          events.find(({ phase, number, t }) => phase === 'gone' && number === e.number && t >= e.t)?.t ??
          Infinity,
        attrs: e.attrs,
      }));
  }
  const calls = callsOf(claim, data);
  const gone = (name: string): number =>
    calls.find(({ call, args }) => /destroy|dealloc|dereg/.test(call) && Object.values(args).includes(name))
      ?.t ?? Infinity;
  const known = (call: RegExp, nameOf: (call: (typeof calls)[number]) => string): Known[] =>
    calls
      .filter((one) => call.test(one.call))
      .map((one) => ({ name: nameOf(one), from: one.t, to: gone(nameOf(one)), attrs: one.args }));
  if (kind === 'context') return known(/^ibv_open_device$/, () => 'context');
  if (kind === 'QP')
    return known(/^ibv_create_qp/, ({ result }) => `QP ${hex6(Number(nested(result, 'qp_num')))}`);
  if (kind === 'MR') {
    const regions = known(
      /^ibv_reg_mr$/,
      ({ result }) => `MR 0x${String(nested(result, 'lkey')).slice(2).padStart(8, '0')}`,
    );
    // Calls that deregister name a region by its handle. The n-th handle is the n-th region.
    const ends = calls.filter(({ call }) => call === 'ibv_dereg_mr');
    const handles = ends.map(({ args }) => Number((args.mr as string).slice(3))).sort((a, b) => a - b);
    return regions.map((one, i) => ({
      ...one,
      to: ends.find(({ args }) => args.mr === `MR ${handles[i]}`)?.t ?? Infinity,
    }));
  }
  // PDs and CQs: the handles in later calls, in the order of creation.
  const handles = [
    ...new Set(JSON.stringify(calls.map(({ args }) => args)).match(new RegExp(`\\b${kind} \\d+`, 'g'))),
  ].sort((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1]));
  return known(kind === 'PD' ? /^ibv_alloc_pd$/ : /^ibv_create_cq$/, () => '').map((one, i) => ({
    ...one,
    name: handles[i] ?? kind,
    to: gone(handles[i] ?? kind),
  }));
}

/** Objects whose number only counts them. */
const NAMELESS = ['context', 'completion channel', 'event channel'];

function nameIn(kind: string, number: number): string {
  if (NAMELESS.includes(kind)) return kind;
  if (kind === 'MR' || kind === 'MW') return `${kind} 0x${number.toString(16).padStart(8, '0')}`;
  return kind === 'QP' ? `QP ${hex6(number)}` : `${kind} ${number}`;
}

/** The statement's object. */
function objectOf(claim: Claim, { data }: Evidence): Known {
  const name = claim.data('object');
  const all = objectsOf(claim, data, claim.data('kind'));
  return (
    all.find((one) => one.name === name && one.from <= at(claim)) ??
    claim.fail(
      'the record of its endpoint',
      all.map((one) => one.name).join(', ') || `no ${claim.data('kind')}`,
    )
  );
}

const qpnOf = (claim: Claim): number => Number(claim.data('object').split(' ')[1]);

const CAPACITY: Readonly<Record<string, readonly string[]>> = {
  SQ: ['max_send_wr'],
  RQ: ['max_recv_wr'],
  CQ: ['cqe'],
};

function capacityOf(claim: Claim, evidence: Evidence): number {
  const { attrs } = objectOf(claim, evidence);
  const [name = ''] = CAPACITY[claim.data('queue')] ?? [];
  return Number(nested(attrs, name) ?? nested(attrs, 'qp_init_attr', 'cap', name));
}

/** Send requests of an endpoint, with their timelines. */
const livesOf = (claim: Claim, data: RunExport): Wr[] =>
  itemsOf(data, 'wr').filter(({ endpoint }) => endpoint === claim.data('endpoint'));

/** Entries in the queue by the device's samples; null if no sample names it, or the QP takes no requests. */
function sampledOf(claim: Claim, data: RunExport): number | null {
  const state = itemsOf(data, 'qp').findLast(
    ({ endpoint, qpn, t }) => endpoint === claim.data('endpoint') && qpn === qpnOf(claim) && t <= at(claim),
  )?.to;
  const kind = claim.data('queue');
  if (kind !== 'CQ' && (state === undefined || state === 'RESET')) return null;
  const name = { endpoint: claim.data('endpoint'), kind, number: qpnOf(claim) };
  return sampledQueue(data, name, at(claim))?.used ?? null;
}

/** Number of entries in the queue: by the timelines of the requests, or by posts less completions. */
function heldIn(claim: Claim, evidence: Evidence): number {
  const { data } = evidence;
  const now = at(claim);
  const lives = livesOf(claim, data);
  const calls = isProgram(data) ? [] : callsOf(claim, data);
  const completed = itemsOf(data, 'completion').filter(
    ({ endpoint, t }) => endpoint === claim.data('endpoint') && t <= now,
  );
  const queue = claim.data('queue');
  if (queue === 'CQ')
    return lives.filter((wr) => wr.cqe !== null && wr.cqe <= now && !(wr.polled! <= now)).length;
  const qpn = qpnOf(claim);
  const posts = calls.filter(
    ({ call, args, t }) =>
      call === (queue === 'SQ' ? 'ibv_post_send' : 'ibv_post_recv') && args.qp === `QP ${qpn}` && t <= now,
  ).length;
  if (queue === 'SQ' && lives.length > 0)
    return lives.filter((wr) => wr.qpn === qpn && wr.posted <= now && (wr.cqe ?? wr.acked ?? Infinity) > now)
      .length;
  const receives = (opcode: string): boolean => opcode.startsWith('RECV') === (queue === 'RQ');
  return posts - completed.filter(({ wc }) => wc.qpn === qpn && receives(wc.opcode)).length;
}

/** The sample of a loop around the time. */
function sampleOf(claim: Claim, { data }: Evidence, transport?: string) {
  const endpoint = claim.data('endpoint');
  const sources = itemsOf(data, 'source').filter(
    (one) =>
      one.what === 'loop' &&
      (one.endpoint ?? one.role) === endpoint &&
      (transport ? one.transport === transport : one.transport === 'rdma' || one.transport === 'shm'),
  );
  const now = at(claim);
  for (const { source } of sources) {
    const records = itemsOf(data, 'series')
      .filter((frame) => frame.source === source)
      .flatMap((frame) => frame.records);
    const found = records.find(({ t, intervalNs }) => t >= now && t - intervalNs <= now);
    if (found) return found;
  }
  return claim.fail('the series of its loops', 'no sample at that time');
}

export const MACHINE: Roads<Evidence> = {
  'machine-time': (claim) => claim.quantity(at(claim), 'the time that the picture was drawn for'),
  'machine-process': (claim, { data }) => {
    const name = itemsOf(data, 'endpoint').find(({ role }) => role === claim.data('endpoint'))?.role;
    // A lab names its endpoints by the titles of their roles.
    const shown = isProgram(data) ? claim.text : claim.text.toLowerCase().replaceAll(' ', '-');
    claim.equal(name ?? 'none', 'the endpoint events', shown);
  },
  'machine-device': (claim, { data }) =>
    claim.equal(
      itemsOf(data, 'endpoint').find(({ role }) => role === claim.data('endpoint'))?.device ?? 'none',
      'the endpoint events',
    ),
  'machine-object': (claim, evidence) =>
    claim.equal(objectOf(claim, evidence).name, 'the calls that made it'),
  'machine-group': (claim, { data }) => {
    const { n, kind } = claim.match(/^(?<n>[\d,]+) (?<kind>.+?)s?(?:, 3 shown)?$/);
    const live = objectsOf(claim, data, kind!).filter(({ from, to }) => from <= at(claim) && to > at(claim));
    claim.count(live.length, 'the calls or events that make and destroy them', n);
  },
  'machine-state': (claim, { data }) => {
    const last = itemsOf(data, 'qp').findLast(
      ({ endpoint, qpn, t }) => endpoint === claim.data('endpoint') && qpn === qpnOf(claim) && t <= at(claim),
    );
    // A QP that a program has just made has no transition yet.
    claim.equal(last?.to ?? 'RESET', 'the qp events up to that time');
  },
  'machine-note': (claim, evidence) => {
    const { data } = evidence;
    const endpoint = itemsOf(data, 'endpoint').find(({ role }) => role === claim.data('endpoint'));
    if (claim.data('kind') === 'process')
      return claim.equal(`pid ${endpoint?.pid}`, 'the endpoint event', claim.text.split(',')[0]);
    if (claim.data('kind') === 'device') return claim.equal('device', 'what it is');
    const { attrs } = objectOf(claim, evidence);
    if (claim.data('kind') === 'QP')
      return claim.equal(
        String(nested(attrs, 'qp_init_attr', 'qp_type') ?? nested(attrs, 'type')),
        'its call',
      );
    const [size = '', ...rights] = claim.text.split(', ');
    claim.quantity(Number(nested(attrs, 'length')), 'the call that registered it', size);
    const access = nested(attrs, 'access') as string[];
    // Text without room ends in an ellipsis.
    for (const right of rights
      .map((text) => text.replace(/^remote /, ''))
      .filter((text) => !text.endsWith('…')))
      claim.holds(access.includes(`REMOTE_${right}`), 'the call that registered it', access.join(', '));
  },
  'machine-fill': (claim, evidence) => {
    const { data } = evidence;
    const fill = claim.data('fill');
    const { sign, held, capacity } = claim.match(
      /^(?<sign>[≈≤] )?(?<held>[\d.,]+|\?) \/ (?<capacity>[\d,]+)$/,
    );
    claim.count(capacityOf(claim, evidence), 'the call that made it', capacity);
    if (fill === 'exact') {
      claim.equal('', 'a count that is known', sign ?? '');
      const sampled = sampledOf(claim, data);
      if (sampled !== null) return claim.count(sampled, 'the device’s sample at that time', held);
      return claim.count(heldIn(claim, evidence), 'posts, completions and timelines up to that time', held);
    }
    if (fill === 'mean') {
      const { messages, intervalNs, latencyMeanNs } = sampleOf(claim, evidence);
      const mean = (messages / intervalNs) * latencyMeanNs;
      return claim.figure(
        Math.min(mean, capacityOf(claim, evidence)),
        'rate × mean latency of its sample',
        held,
      );
    }
    claim.equal('unknown', 'the kinds of fill levels', fill);
    claim.equal('?', 'a level that is not known', held);
    // The level of a lab's queue is unknown only if no call that posts to it was recorded.
    if (!isProgram(data) && claim.data('queue') !== 'CQ')
      claim.holds(
        !callsOf(claim, data).some(
          ({ call, args }) => call.startsWith('ibv_post_') && args.qp === claim.data('object'),
        ),
        'the calls of its endpoint',
        'posts to this queue',
      );
  },
  'machine-rate': (claim, evidence) => {
    const { way, messages, unit, gbps } = claim.match(
      /^(?:(?<way>sent|received|completed) )?(?<messages>[\d.,]+)(?: (?<unit>[kM]))? messages\/s, (?<gbps>[\d.,]+ [kMG]?b\/s)$/,
    );
    const ofProgram = isProgram(evidence.data);
    claim.holds(
      (way === 'completed') === ofProgram,
      'only the samples of a program count what completes',
      way,
    );
    const sample = sampleOf(claim, evidence, claim.data('transport'));
    const figure = parseFigure(messages!);
    const factor = { k: 1e3, M: 1e6 }[unit ?? ''] ?? 1;
    const rate = (sample.messages / sample.intervalNs) * 1e9;
    claim.holds(
      figure !== null && Math.abs(figure.value * factor - rate) <= figure.half * factor,
      'the sample of its loop',
      rate,
    );
    gbpsFigure(claim, (sample.bytes * 8) / sample.intervalNs, 'the sample of its loop', gbps);
  },
};
