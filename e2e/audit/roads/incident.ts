// A failed request in the errors panel, compared with its wr event, with tshark, and with the program's MRs.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { phaseHolds } from '../phases.js';
import { isNak, type Wire } from '../wire.js';

export const INCIDENT: Roads<Evidence> = {
  'program-failure': (claim, { data, program }) => {
    const { code } = claim.match(/“.+” ended with exit code (?<code>\d+)\./);
    claim.equal(String(program?.exitCode), 'how the process ended', code);
    const first = /First cause: (?<opcode>\w+) of (?<size>.+?) \(wr_id (?<wrId>\d+)\)/.exec(
      claim.text,
    )?.groups;
    if (!first) return;
    const failed = itemsOf(data, 'wr').filter(({ status }) => status !== 0);
    const [wr] = failed.toSorted((a, b) => (a.cqe ?? a.t) - (b.cqe ?? b.t));
    if (!wr) return claim.fail('the wr events', 'none failed');
    claim.equal(String(wr.wrId), 'the first wr event that failed', first.wrId);
    claim.equal(wr.opcode, 'the first wr event that failed', first.opcode);
    claim.quantity(wr.byteLen, 'the first wr event that failed', first.size);
    region(claim, data);
  },
  standing,
  'standing-evidence': standing,
  'standing-ruled-out': standing,
  'call-site': callSite,
  incident: (claim, { data, wire }) => {
    const { opcode, size, wrId, qp } = claim.match(
      /^(?<opcode>\w+) of (?<size>.+?) \(wr_id (?<wrId>\d+)\) on QP (?<qp>0x[0-9a-f]+) failed: \w+/,
    );
    const wr = itemsOf(data, 'wr').find(
      (each) => each.qpn === Number(qp) && String(each.wrId) === wrId && each.status !== 0,
    );
    if (!wr) return claim.fail('the wr events that failed', 'none of that QP and wr_id');
    claim.equal(wr.opcode, 'the wr event', opcode);
    claim.quantity(wr.byteLen, 'the wr event', size);
    region(claim, data);
    if (wire) packets(claim, wire, wr.byteLen);
    const { t, phase } = claim.match(/, (?<t>\d+\.\d{3}) s(?:, (?<phase>.+))?$/);
    const times = [...itemsOf(data, 'completion'), ...itemsOf(data, 'async'), ...itemsOf(data, 'finding')];
    claim.holds(
      times.some((event) => (event.t / 1e9).toFixed(3) === t),
      'the times of the items about it',
      times.map((event) => event.t).join(', '),
    );
    phaseHolds(claim, data, Number(t) * 1e9, phase);
  },
};

/** Numbers of QPs and requests in a text about a standstill. */
function standing(claim: Claim, { data }: Evidence): void {
  const all = itemsOf(data, 'standstill');
  const qps = all.flatMap((one) => one.qps);
  const firsts = all.flatMap(({ cqs }) => cqs.flatMap(({ first }) => first ?? []));
  const failed = itemsOf(data, 'completion').map(({ wc }) => ({ qpn: wc.qpn, wrId: String(wc.wrId) }));
  const numbers = [...qps.flatMap(({ qpn, peerQpn }) => [qpn, peerQpn]), ...firsts.map(({ qpn }) => qpn)];
  for (const [, qpn] of claim.text.matchAll(/QP (0x[0-9a-f]{6})/g))
    claim.holds(numbers.includes(Number(qpn)), 'the QPs of the standstills', qpn);
  const ids = [...qps.flatMap(({ send }) => send.oldest ?? []), ...firsts, ...failed];
  for (const [, wrId] of claim.text.matchAll(/wr_id (\d+)/g))
    claim.holds(
      ids.some((one) => one.wrId === wrId),
      'the requests of the standstills',
      wrId,
    );
}

/** Lines of the program's source: those of the calls that findings and standstills are about. */
function callSite(claim: Claim, { data }: Evidence): void {
  const places = JSON.stringify([itemsOf(data, 'standstill'), itemsOf(data, 'finding')]);
  for (const [, file, line] of claim.text.matchAll(/([\w.-]+\.\w+):(\d+)/g))
    claim.holds(
      new RegExp(`${file!.replaceAll('.', '\\.')}","line":${line}\\b`).test(places),
      'the calls of findings and standstills',
      `${file}:${line}`,
    );
}

/** Checks the refusing side's words on the rkey, and on the intended region. */
function region(claim: Claim, data: RunExport): void {
  const made = itemsOf(data, 'object').filter(({ phase, object }) => phase === 'made' && object === 'MR');
  const unknown = /rkey (0x[0-9a-f]+) names no memory region/.exec(claim.text);
  if (unknown)
    claim.holds(
      !made.some(({ number }) => number === Number(unknown[1])),
      'the MRs that were made',
      unknown[1],
    );
  const meant = /MR (0x[0-9a-f]{8}) \((\d+) bytes at (0x[0-9a-f]+)\)/.exec(claim.text);
  if (!meant) return;
  const mr = made.find(({ number }) => number === Number(meant[1]));
  claim.equal(JSON.stringify(mr?.attrs.length), 'the attributes of that MR', meant[2]);
  claim.equal(JSON.stringify(mr?.attrs.addr), 'the attributes of that MR', `"${meant[3]}"`);
}

/** Checks the numbers of the packets of the request. */
function packets(claim: Claim, { packets: all }: Wire, length: number): void {
  const number = (name: string): number | null => {
    const found = new RegExp(`${name}, No\\. ([\\d,]+)`).exec(claim.text);
    return found && Number(found[1]!.replaceAll(',', ''));
  };
  const [first, nak] = [number('First packet'), number('NAK')];
  const rkey = /with rkey (0x[0-9a-f]+)/.exec(claim.text)?.[1];
  if (first !== null) {
    const { remote } = all[first - 1]!;
    claim.holds(remote?.length === length, 'the DMA length in the RETH', remote?.length);
    if (rkey) claim.holds(remote?.rkey === Number(rkey), 'the rkey in the RETH', remote?.rkey);
  }
  if (nak !== null) claim.holds(isNak(all[nak - 1]!), 'the syndrome in the AETH', all[nak - 1]!.syndrome);
}
