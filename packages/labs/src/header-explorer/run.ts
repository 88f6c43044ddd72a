import { AppError, fieldText, lookupWcStatus, type LabContext } from '@verbslab/protocol';
import { PacketWatch } from '../wire/packet-watch.js';
import { plural } from '../base/format.js';
import { parseEdits } from './edit.js';
import { FIXED, fits, type Expected, type FixedEdit } from './edits.js';
import { exchange, type Exchange } from './exchange.js';
import { editableOf, PACKET_TITLES } from './fields.js';
import type { HeaderExplorerParams } from './params.js';
import { answerText, sameSpan, spanText, VERDICT_TEXT, whyText, type Observed } from './verdict.js';

type Context = LabContext<HeaderExplorerParams>;

interface Tried extends FixedEdit {
  exchange: Exchange;
  fits: boolean;
}

const statusText = (status: number | null): string =>
  status === null ? 'none' : `${status} ${lookupWcStatus(status).name}`;

function expectedText({ verdict, counter, nak }: Expected): string {
  if (nak !== undefined) return nak === 'rnr' ? 'RNR NAK' : `NAK 0x${nak.toString(16)}`;
  return counter === undefined || verdict === 'duplicate' ? VERDICT_TEXT[verdict] : `Dropped: ${counter}`;
}

async function tryFixed(ctx: Context, watch: PacketWatch): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const [i, one] of FIXED.entries()) {
    ctx.signal.throwIfAborted();
    ctx.progress(i / (FIXED.length + 1), one.what);
    const edits = parseEdits(one.edit, 'write');
    const found = await exchange(ctx, 'write', watch, edits);
    const { observed, changed } = found;
    tried.push({ ...one, exchange: found, fits: fits(one.expected, observed) });
    const [change] = changed;
    ctx.row('edits', {
      edit: one.edit === '' ? 'none' : one.edit,
      what: one.what,
      before: change ? fieldText(change.field, change.before) : null,
      after: change ? fieldText(change.field, change.after) : null,
      expected: expectedText(one.expected),
      verdict: VERDICT_TEXT[observed.verdict],
      counters: observed.counters.join(', ') || 'none',
      answer: answerText(observed.answer),
      memory: spanText(observed.memory),
      status: statusText(observed.status),
    });
  }
  return tried;
}

/** Every field of the packet that the person chose: as made, and as sent. */
async function tryOwn(ctx: Context, watch: PacketWatch): Promise<Exchange> {
  const { packet, edit } = ctx.params;
  const found = await exchange(ctx, packet, watch, parseEdits(edit, packet));
  const names = new Set(found.changed.map(({ field }) => field.name));
  const made = found.values;
  for (const field of editableOf(packet)) {
    const { before, after } = made.get(field.name)!;
    ctx.row('own-fields', {
      field: field.name,
      label: field.label,
      before: fieldText(field, before),
      after: fieldText(field, after),
      edited: names.has(field.name)
        ? 'yes'
        : field.name === 'icrc.value' && before !== after
          ? 'follows'
          : '',
    });
  }
  const { observed } = found;
  const say = (what: string, text: string): void => ctx.row('own-outcome', { what, found: text });
  say('What did the server’s device do?', whyText(observed));
  say('What came back?', answerText(observed.answer));
  say('Which bytes of the server’s memory changed?', spanText(observed.memory));
  say('Which completion does the client have?', statusText(observed.status));
  return found;
}

function judge(ctx: Context, tried: readonly Tried[]): void {
  const of = (verdict: Observed['verdict']) => tried.filter(({ expected }) => expected.verdict === verdict);
  const check = (id: string, some: readonly Tried[], right: string): void => {
    const wrong = some.filter((one) => !one.fits);
    ctx.check(
      id,
      wrong.length === 0,
      wrong.length === 0
        ? right
        : wrong
            .map(({ edit, exchange: { observed } }) => `${edit || 'No edit'}: ${whyText(observed)}`)
            .join(' '),
    );
  };
  const [original, ...edits] = tried;
  const drops = of('dropped');
  const naks = of('nak');
  const executed = of('executed').filter((one) => one !== original);
  check(
    'original',
    [original!],
    'The server’s device executed the packet and acknowledged it, and the client’s request completed.',
  );
  check(
    'dropped',
    drops,
    `${plural(drops.length, 'edit')} of ${edits.length} were dropped. No answer came, and one counter each says why.`,
  );
  check(
    'refused',
    naks,
    `${plural(naks.length, 'edit')} of ${edits.length} brought a NAK with the syndrome of the mistake, and no byte changed.`,
  );
  check(
    'duplicate',
    of('duplicate'),
    'The packet with the PSN before was not executed. An ACK came all the same.',
  );
  check(
    'executed',
    executed,
    `${plural(executed.length, 'edit')} of ${edits.length} were executed: the bytes arrived where the packet said.`,
  );
  const marks = tried.filter(({ edit }) => edit === 'bth.fecn=1' || edit === 'bth.becn=1');
  const same = marks.filter(({ exchange: { values } }) => {
    const { before, after } = values.get('icrc.value')!;
    return before === after;
  });
  ctx.check(
    'outside-icrc',
    same.length === marks.length,
    `With FECN or BECN set, the ICRC is the same in ${same.length} of ${marks.length} packets: switches may set these bits on the way.`,
  );
  ctx.figure('sent', edits.length);
  ctx.figure('dropped', edits.filter(({ exchange: { observed } }) => observed.verdict === 'dropped').length);
  ctx.figure('refused', edits.filter(({ exchange: { observed } }) => observed.verdict === 'nak').length);
  const done = edits.filter(({ exchange: { observed } }) => observed.verdict === 'executed');
  ctx.figure('executed', done.length);
  ctx.figure(
    'harmless',
    done.filter(({ exchange: { observed } }) => sameSpan(observed.memory, original!.expected.memory)).length,
  );
}

function outcomes(ctx: Context, tried: readonly Tried[]): void {
  const of = (edit: string): Observed => tried.find((one) => one.edit === edit)!.exchange.observed;
  const answerOf = ({ verdict }: Observed) =>
    verdict === 'dropped'
      ? 'silence'
      : verdict === 'nak'
        ? 'nak'
        : verdict === 'duplicate'
          ? 'ack'
          : 'written';
  ctx.outcome('behind', answerOf(of('bth.psn=-1')));
  ctx.outcome('qpn', answerOf(of('bth.destQp=^1')));
  ctx.outcome('forged', answerOf(of('payload.first=0xff')));
}

export async function runHeaderExplorer(ctx: Context): Promise<void> {
  const client = ctx.endpoint('client');
  const watch = new PacketWatch(client);
  await watch.start(ctx, false, true);
  if (!watch.on)
    throw AppError.from({
      code: 'MISSING_CAPABILITY',
      message: 'The packets at the client cannot be captured.',
      cure: 'Use the embedded device at both ends.',
    });
  const tried = await tryFixed(ctx, watch);
  const own = await tryOwn(ctx, watch);
  ctx.draining();
  await watch.stop();
  judge(ctx, tried);
  outcomes(ctx, tried);
  const { packet, edit } = ctx.params;
  ctx.check(
    'own',
    own.sentAsMeant,
    own.sentAsMeant
      ? `The ${PACKET_TITLES[packet]} left with your edit${edit.trim() === '' ? '' : ` (${edit.trim()})`}, as the client’s tap shows.`
      : 'The client’s tap does not show the packet that you asked for.',
  );
  const of = (verdict: Observed['verdict']): number =>
    tried.filter(({ edit: one, exchange: { observed } }) => one !== '' && observed.verdict === verdict)
      .length;
  ctx.answer(
    `Of ${FIXED.length - 1} edited packets, ${of('dropped')} were dropped in silence, ${of('nak')} refused with a NAK, ${of('duplicate')} acknowledged but not executed, and ${of('executed')} executed. What became of your packet: “${whyText(own.observed)}”`,
  );
}
