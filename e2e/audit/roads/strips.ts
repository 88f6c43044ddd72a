// The queues of many QPs as strips: how many QPs there are, in which state, and what an endpoint sent around the moment.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { objectsOf } from './machine.js';
import { runTime } from './step-events.js';

const RECORD = 'the record of its endpoint';
/** Most columns of a strip, and half of the stretch in which packets are counted, ns. */
const COLUMNS = 64;
const AROUND = 5e6;

const at = (claim: Claim): number => Number(claim.data('at'));

function aliveOf(claim: Claim, { data }: Evidence, kind: string) {
  const own = claim.about({ endpoint: claim.data('strips') });
  return objectsOf(own, data, kind).filter(({ from, to }) => from <= at(claim) && to > at(claim));
}

function stateOf(claim: Claim, { data }: Evidence, name: string): string {
  const qpn = Number(name.split(' ')[1]);
  const last = itemsOf(data, 'qp').findLast(
    (e) => e.endpoint === claim.data('strips') && e.qpn === qpn && e.t <= at(claim),
  );
  return last?.to ?? 'RESET';
}

export const STRIPS: Roads<Evidence> = {
  'qps-words': (claim, evidence) => {
    const told = claim.match(
      /^(?<n>[\d,]+) QPs: (?:(?<all>all)|(?<alike>[\d,]+)) alike(?: in (?<state>\w+))?(?:; .*)?$/,
    );
    const qps = aliveOf(claim, evidence, 'QP');
    claim.count(qps.length, RECORD, told.n);
    const same = qps.filter(({ name }) => stateOf(claim, evidence, name) === told.state).length;
    if (told.all !== undefined) claim.equal(same, RECORD, String(qps.length));
    // Those with a full queue are named, too.
    else claim.holds(Number(told.alike!.replaceAll(',', '')) <= same, RECORD, same);
  },
  'strips-left-out': (claim, evidence) => {
    const told = claim.match(
      /: a column is (?:a QP|(?<group>\d+) QPs and shows the fullest)(?:; (?<regions>[\d,]+) regions? (?:is|are) left out)?\./,
    );
    const group = Math.ceil(aliveOf(claim, evidence, 'QP').length / COLUMNS);
    claim.equal(group, RECORD, told.group ?? '1');
    claim.equal(aliveOf(claim, evidence, 'MR').length, RECORD, (told.regions ?? '0').replaceAll(',', ''));
  },
  'strips-wire': (claim, evidence) => {
    const { packets, k, gbps } = claim.match(
      /^→ (?<packets>[\d.,]+) ?(?<k>[kM]?) packets\/s, (?<gbps>[\d.,]+) Gb\/s on the wire/,
    );
    // A capture does not say which process sent a packet.
    if (itemsOf(evidence.data, 'source').filter(({ what }) => what === 'tap').length !== 1) return;
    const near = evidence.packets.filter(
      (packet) => packet.sent && Math.abs(runTime(evidence, packet) - at(claim)) <= AROUND,
    );
    const seconds = (2 * AROUND) / 1e9;
    const factor = { '': 1, k: 1e3, M: 1e6 }[k!]!;
    claim.figure(near.length / seconds / factor, 'tshark', packets);
    claim.figure((sum(near.map(({ length }) => length)) * 8) / 1e9 / seconds, 'tshark', gbps);
  },
};
