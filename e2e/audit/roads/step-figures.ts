// The figures beside the picture of a step, the lines of its rows, and what answers the question before it.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { flowPackets } from './flow-checks.js';
import { labelOf } from './packets.js';
import { indexOf, ON_THE_WIRE, packetsInStep, stateAfter, within } from './step-events.js';

/** Checks a line such as `1 by the client, 0 by the server`. */
function bySide(claim: Claim, events: readonly { endpoint?: string | undefined }[], road: string): void {
  for (const part of claim.text.split(', ')) {
    const { n, side } = claim.match(/^(?<n>\d+) by the (?<side>\w+)$/, part);
    claim.count(events.filter(({ endpoint }) => endpoint === side).length, road, n);
  }
}

/** Number of objects of each kind at the begin of the next step, by the calls that make and destroy them. */
function objectsAfter(claim: Claim, { data }: Evidence): Record<string, number> {
  const next = itemsOf(data, 'step').find(
    ({ phase, index }) => phase === 'begin' && index === indexOf(claim) + 1,
  );
  const counts: Record<string, number> = {};
  for (const { call, seq } of itemsOf(data, 'verb')) {
    if (next && seq > next.seq) continue;
    const { deed, kind } =
      /^ibv_(?<deed>open|alloc|reg|create|close|dealloc|dereg|destroy)_(?<kind>device|pd|mr|cq|qp)$/.exec(
        call,
      )?.groups ?? {};
    if (!deed || !kind) continue;
    const name = kind === 'device' ? 'context' : kind.toUpperCase();
    counts[name] = (counts[name] ?? 0) + (/^(de|close)/.test(deed) ? -1 : 1);
  }
  return counts;
}

/** Figures of a step by their names. */
const FACTS: Roads<Evidence> = {
  request: (claim, evidence) => {
    const { time } = claim.match(/^CQE (?<time>.+) after the post$/);
    const own = within(claim, evidence, 'wr');
    const [wr] = own;
    claim.equal(1, 'the requests of the step', String(own.length));
    claim.quantity(wr!.cqe! - wr!.posted, 'its stamps, CQE less posted', time);
  },
  packets: (claim, evidence) => {
    const packets = packetsInStep(claim, evidence);
    const names = claim.text.split(', ');
    claim.equal(packets.length, 'tshark', String(names.length));
    const first = flowPackets(evidence).write[0]!.psn;
    names.forEach((name, i) => {
      const { label, psn } = claim.match(/^(?<label>.+) \+(?<psn>\d+)$/, name);
      const packet = packets[i]!;
      claim.equal((packet.psn - first) & 0xff_ffff, 'the PSN by tshark, less that of the first packet', psn);
      claim.equal(labelOf(packet).replace(/ \d+$/, '').toLowerCase(), 'tshark', label!.toLowerCase());
    });
  },
  completions: (claim, evidence) =>
    bySide(claim, within(claim, evidence, 'completion'), 'the completion events of the step'),
  gid: (claim, evidence) =>
    claim.equal(
      [...new Set(['client', 'server'].map((side) => ON_THE_WIRE.gid!(evidence, side)))].join(', '),
      'tshark',
    ),
  mtu: (claim, evidence) => claim.equal(ON_THE_WIRE.mtu!(evidence, 'client'), 'tshark'),
  keys: (claim, evidence) => {
    const { client, server } = claim.match(
      /^(?<client>0x[0-9a-f]+) of the client, (?<server>0x[0-9a-f]+) of the server$/,
    );
    claim.equal(ON_THE_WIRE.rkey!(evidence, 'server'), 'tshark', server);
    // The client's own key never leaves it.
    const made = within(claim, evidence, 'verb').find(
      ({ call, endpoint }) => call === 'ibv_reg_mr' && endpoint === 'client',
    );
    claim.equal(String((made!.result as { rkey: string }).rkey), 'the verb event', client);
  },
  states: (claim, { data }) => {
    for (const part of claim.text.split(', ')) {
      const { side, from, to } = claim.match(/^(?<side>\w+) (?<from>\w+) → (?<to>\w+)$/, part);
      const road = 'the calls of ibv_create_qp and ibv_modify_qp';
      claim.equal(stateAfter(data, side!.toLowerCase(), indexOf(claim) - 1), road, from);
      claim.equal(stateAfter(data, side!.toLowerCase(), indexOf(claim)), road, to);
    }
  },
  longest: (claim, evidence) => {
    const { call, time } = claim.match(/^(?<call>\w+), (?<time>.+)$/);
    const longest = within(claim, evidence, 'verb').reduce((a, b) => (b.durationNs > a.durationNs ? b : a));
    claim.equal(longest.call, 'the verb events of the step', call);
    claim.quantity(longest.durationNs, 'the verb event', time);
  },
};

/** What decides the question before a step: `3 packets (WRITE) by the client`. */
function countedOf(claim: Claim, evidence: Evidence): void {
  for (const part of claim.text.split('; ')) {
    const { n, what, call, of, word, side, far } = claim.match(
      /^(?<n>\d+) (?<what>calls?|packets?|completions?|exchanges? outside of RDMA|asynchronous events?)(?: of (?<call>\w+))?(?: \((?<of>[^)]+)\))?(?: with (?<word>\w+))?(?: (?:at|by) the (?<side>\w+))?(?<far> so far)?$/,
      part,
    );
    const steps =
      far === undefined ? [indexOf(claim)] : Array.from({ length: indexOf(claim) + 1 }, (_, i) => i);
    const all = steps.map((step) => claim.about({ 'at-step': String(step) }));
    const at = ({ endpoint }: { endpoint?: string | undefined }): boolean =>
      side === undefined || endpoint === side;
    const count = all.reduce((sum, one) => {
      if (what!.startsWith('packet'))
        return (
          sum +
          packetsInStep(one, evidence).filter(
            (packet) =>
              (side === undefined || packet.sent === (side === 'client')) &&
              labelOf(packet)
                .toLowerCase()
                .startsWith((of ?? '').toLowerCase()),
          ).length
        );
      if (what!.startsWith('call'))
        return (
          sum +
          within(one, evidence, 'verb').filter(
            (e) =>
              at(e) &&
              (call === undefined || e.call === call) &&
              (word === undefined || JSON.stringify(e.args).includes(`"${word}"`)),
          ).length
        );
      if (what!.startsWith('completion')) return sum + within(one, evidence, 'completion').filter(at).length;
      if (what!.startsWith('exchange'))
        return (
          sum +
          within(one, evidence, 'exchange').filter(({ from }) => side === undefined || from === side).length
        );
      return sum + within(one, evidence, 'async').filter(at).length;
    }, 0);
    claim.count(count, 'the events of the step, and tshark', n);
  }
}

export const STEP_FIGURES: Roads<Evidence> = {
  'step-calls': (claim, evidence) =>
    bySide(claim, within(claim, evidence, 'verb'), 'the verb events of the step'),
  'step-objects': (claim, evidence) => {
    const left = Object.entries(objectsAfter(claim, evidence)).filter(([, n]) => n > 0);
    if (claim.text === 'none') return claim.equal(0, 'the calls that make and destroy', String(left.length));
    const parts = claim.match(/^every attribute of (?<list>.+)$/).list!.split(', ');
    const shown = parts.map((part) => part.replace(/s$/, ''));
    claim.equal(
      left
        .map(([kind, n]) => `${n} ${kind}`)
        .sort()
        .join(', '),
      'the calls that make and destroy',
      shown.sort().join(', '),
    );
  },
  'step-fact': (claim, evidence) => {
    const road = FACTS[claim.data('fact')];
    if (!road) return claim.fail('the figures that the audit knows', Object.keys(FACTS).join(', '));
    road(claim, evidence);
  },
  'step-counted': countedOf,
};
