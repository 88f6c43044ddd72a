// Figures with a handle, of the reader's own run: what they compute, from the rows of the run and the packets of its capture.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { ladderOf, offset } from '../explained/amplification.js';
import { rowsOf } from '../explained/found.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';

const ROWS = 'the rows of the run';
const CAPTURE = 'tshark over the capture';
const ROUNDED = String.raw`[\d.,]+`;
const TIME = String.raw`[\d.,]+ (?:ns|µs|ms|s)`;

const using = (claim: Claim): Record<string, number> =>
  JSON.parse(claim.data('using')) as Record<string, number>;

const parameter = ({ data }: Evidence, name: string): number => Number(data.run.parameters[name]);

/** The path that the reader chose: link in Gb/s, its round trip in ns, and messages that it holds. */
function pathOf(claim: Claim, evidence: Evidence) {
  const { delay } = using(claim);
  const size = parameter(evidence, 'size');
  const link = itemsOf(evidence.data, 'figure').findLast(({ name }) => name === 'link')!.value!;
  const row = rowsOf(evidence, 'paths').find((one) => one.delay === delay)!;
  const rtt = Number(row.rtt) * 1000;
  const points = rowsOf(evidence, 'points').filter((one) => one.delay === delay);
  const limited = (window: number): number => Math.min(link, (window * size * 8) / rtt);
  return { size, link, rtt, points, limited, holds: (link * rtt) / 8 / size };
}

function windowAnswer(claim: Claim, evidence: Evidence): void {
  const { window = NaN } = using(claim);
  const { size, link, rtt, points, limited, holds } = pathOf(claim, evidence);
  const told = claim.match(
    new RegExp(
      `^(?<n>${ROUNDED}) messages? in flight over (?<rtt>${TIME}) carry at most (?<gbps>${ROUNDED}) Gb/s \\(computed\\): the (?<limit>\\w+) is the limit\\. (?:The path holds (?<holds>${ROUNDED})\\.|More in flight only waits: (?<waits>${TIME}) each\\.)(?: Measured: (?<measured>${ROUNDED}) Gb/s\\.)?$`,
    ),
  );
  claim.count(window, 'the handle', told.n);
  claim.quantity(rtt, ROWS, told.rtt);
  claim.figure(limited(window), ROWS, told.gbps);
  claim.equal(window < holds ? 'window' : 'link', ROWS, told.limit);
  if (told.holds !== undefined) claim.figure(holds, ROWS, told.holds);
  if (told.waits !== undefined) claim.quantity(Math.max(rtt, (window * size * 8) / link), ROWS, told.waits);
  const point = points.find((one) => one.window === window);
  if (point) claim.figure(Number(point.gbps), ROWS, told.measured);
  else claim.equal('undefined', ROWS, String(told.measured));
}

function windowTable(claim: Claim, evidence: Evidence): void {
  const { points, limited } = pathOf(claim, evidence);
  const [, ...rows] = claim.shown.rows!;
  claim.equal(points.length, ROWS, String(rows.length));
  points.forEach((point, i) => {
    const [window, gbps, min, computed] = rows[i]!;
    claim.count(Number(point.window), ROWS, window);
    claim.figure(Number(point.gbps), ROWS, gbps);
    claim.figure(Number(point.min), ROWS, min);
    claim.figure(limited(Number(point.window)), ROWS, computed);
  });
}

const loadsOf = (evidence: Evidence) => rowsOf(evidence, 'loads');
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Time in which the port serves so many messages of a load, ns. */
const served = (evidence: Evidence, total: unknown, messages: number): number =>
  (messages * parameter(evidence, 'size') * 8) / Number(total);

function incastAnswer(claim: Claim, evidence: Evidence): void {
  const { clients, ahead = NaN } = using(claim);
  const load = loadsOf(evidence).find((one) => one.clients === clients)!;
  const told = claim.match(
    new RegExp(
      `^Behind (?<n>${ROUNDED}) messages? of (?<clients>${ROUNDED}) clients?, a small request waits (?<waits>0|${TIME}) \\(computed\\)\\.(?: Measured: (?:(?<longer>${TIME}) longer than without clients, as if (?<ahead>${ROUNDED}) messages? were ahead|(?<no>no longer than without clients))\\.)?$`,
    ),
  );
  claim.count(ahead, 'the handle', told.n);
  claim.count(Number(clients), 'the choice', told.clients);
  if (ahead > 0) claim.quantity(served(evidence, load.total, ahead), ROWS, told.waits);
  const calm = numberOrNull(loadsOf(evidence).find((one) => one.clients === 0)?.mean);
  const mean = numberOrNull(load.mean);
  if (calm === null || mean === null) return claim.equal('undefined', ROWS, String(told.longer ?? told.no));
  const added = (mean - calm) * 1000;
  if (added <= 0) return claim.holds(told.no !== undefined, ROWS, `${added} ns longer`);
  claim.quantity(added, ROWS, told.longer);
  claim.count(Math.round(added / served(evidence, load.total, 1)), ROWS, told.ahead);
}

function incastTable(claim: Claim, evidence: Evidence): void {
  const loads = loadsOf(evidence);
  const [, ...rows] = claim.shown.rows!;
  claim.equal(loads.length, ROWS, String(rows.length));
  const time = (us: unknown, shown: string | undefined): void =>
    typeof us === 'number' ? claim.quantity(us * 1000, ROWS, shown) : claim.equal('–', ROWS, shown);
  loads.forEach(({ clients, total, mean, p50, p90, overruns }, i) => {
    const [of, gbps, its, median, tail, behind, dropped] = rows[i]!;
    claim.count(Number(clients), ROWS, of);
    claim.figure(numberOrNull(total), ROWS, gbps);
    time(mean, its);
    time(p50, median);
    time(p90, tail);
    const posted = Number(clients) * parameter(evidence, 'window');
    if (typeof total === 'number') claim.quantity(served(evidence, total, posted), ROWS, behind);
    else claim.equal('–', ROWS, behind);
    claim.equal(typeof overruns === 'number' ? overruns : 'not counted', ROWS, dropped);
  });
}

const ANSWERS: Readonly<Record<string, (claim: Claim, evidence: Evidence) => void>> = {
  window: windowAnswer,
  incast: incastAnswer,
};
const TABLES: typeof ANSWERS = { window: windowTable, incast: incastTable };

/** Packets of the ladder that were sent again, and how many of them had arrived before within it. */
function againOf(packets: ReturnType<typeof ladderOf>['packets']) {
  const again = packets.filter(({ last }) => last !== undefined);
  const had = packets.filter(({ psn }, i) =>
    packets.slice(0, i).some((one) => one.psn === psn && one.arrived),
  );
  return { again, selective: again.length - had.length };
}

export const EXPLORABLES: Roads<Evidence> = {
  'explorable-answer': (claim, evidence) => ANSWERS[claim.data('explorable')]!(claim, evidence),
  'explorable-table': (claim, evidence) => TABLES[claim.data('explorable')]!(claim, evidence),
  // What a figure says besides its answer: numbers of the answer again, and of the model behind it.
  'window-text': (claim, evidence) => {
    const { window = NaN } = using(claim);
    const { rtt, limited, holds } = pathOf(claim, evidence);
    const told = claim.match(
      new RegExp(
        `^(?:(?<gbps>${ROUNDED}) Gb/s computed|bandwidth-delay product: (?<holds>${ROUNDED})|round trip (?<rtt>${TIME}): room for (?<room>${ROUNDED})|full; (?<more>${ROUNDED}) more wait, each message takes ${TIME}|(?<n>\\d+) in flight: (?<share>\\d+) % full)$`,
      ),
    );
    if (told.gbps !== undefined) claim.figure(limited(window), ROWS, told.gbps);
    for (const held of [told.holds, told.room]) if (held !== undefined) claim.figure(holds, ROWS, held);
    if (told.rtt !== undefined) claim.quantity(rtt, ROWS, told.rtt);
    if (told.more !== undefined) claim.figure(window - holds, ROWS, told.more);
    if (told.n === undefined) return;
    claim.equal(window, 'the handle', told.n);
    claim.equal(Math.round((100 * Math.min(window, holds)) / holds), ROWS, told.share);
  },
  'window-note': (claim, evidence) => {
    const { size, link } = pathOf(claim, evidence);
    const told = claim.match(
      new RegExp(`^Messages of (?<size>${ROUNDED} \\S+); .*, (?<link>${ROUNDED}) Gb/s\\.$`),
    );
    claim.quantity(size, 'the parameters', told.size);
    claim.figure(link, ROWS, told.link);
  },
  'incast-text': (claim, evidence) => {
    const { clients, ahead = NaN } = using(claim);
    const load = loadsOf(evidence).find((one) => one.clients === clients)!;
    const told = claim.match(
      new RegExp(
        `^(?:the queue, if all (?<all>\\d+) posted messages are in it|(?<posted>\\d+) messages posted|(?:small request: )?(?<waits>0|${TIME}) to wait)$`,
      ),
    );
    for (const posted of [told.all, told.posted])
      if (posted !== undefined)
        claim.equal(Number(clients) * parameter(evidence, 'window'), 'the parameters', posted);
    if (told.waits !== undefined && ahead > 0)
      claim.quantity(served(evidence, load.total, ahead), ROWS, told.waits);
  },
  'incast-note': (claim, evidence) => {
    const load = loadsOf(evidence).find((one) => one.clients === using(claim).clients)!;
    const told = claim.match(
      new RegExp(
        `^each client keeps (?<window>${ROUNDED}) messages? of (?<size>${ROUNDED} \\S+) posted, and the port serves them at the measured (?<gbps>${ROUNDED}) Gb/s\\.$`,
      ),
    );
    claim.count(parameter(evidence, 'window'), 'the parameters', told.window);
    claim.quantity(parameter(evidence, 'size'), 'the parameters', told.size);
    claim.figure(Number(load.total), ROWS, told.gbps);
  },
  'incast-dropped': (claim, evidence) => {
    const load = loadsOf(evidence).find((one) => one.clients === using(claim).clients)!;
    claim.count(Number(load.overruns), ROWS, claim.match(/dropped (?<n>[\d,]+) datagram/).n);
  },
  'ladder-answer': (claim, { wire }) => {
    const { packets } = ladderOf(wire, using(claim).loss!);
    const { again, selective } = againOf(packets);
    const told = claim.match(
      /(?<n>[\d,]+) packets? again, (?<bytes>[\d,]+) B\. Selective repeat would send (?<few>[\d,]+) \(computed\)\.$/,
    );
    claim.count(again.length, CAPTURE, told.n);
    claim.count(sum(again.map(({ packet }) => packet.length)), CAPTURE, told.bytes);
    claim.count(selective, CAPTURE, told.few);
  },
  'ladder-table': (claim, { wire }) => {
    const { lost, packets } = ladderOf(wire, using(claim).loss!);
    const rows = claim.shown.rows!.slice(1).filter(([, , , what]) => !/^(ACK|NAK)/.test(what!));
    claim.equal(packets.length, CAPTURE, String(rows.length));
    const zero = packets[0]!.packet.timeNs;
    const time = (ns: bigint, shown: string | undefined): void =>
      ns === zero
        ? claim.equal('0 ns', CAPTURE, shown)
        : claim.quantity(Number(ns - zero), CAPTURE, shown, 1);
    packets.forEach(({ psn, packet, arrival, last }, i) => {
      const [relative, sent, arrived, what] = rows[i]!;
      claim.equal(offset(psn, lost), CAPTURE, relative!.replace('−', '-').replaceAll(',', ''));
      time(packet.timeNs, sent);
      if (arrival) time(arrival.timeNs, arrived);
      else claim.equal('lost', CAPTURE, arrived);
      claim.equal(String(last !== undefined), CAPTURE, String(what!.startsWith('sent again')));
    });
  },
};
