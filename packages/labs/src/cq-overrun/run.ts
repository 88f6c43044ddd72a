import type { LabContext } from '@verbslab/protocol';
import { formatCount, plural } from '../base/format.js';
import { breakQueue, entriesOf, postLate, type Broken, type Late } from './late.js';
import type { CqOverrunParams } from './params.js';

type Context = LabContext<CqOverrunParams>;

const succeeded = ({ polled }: Late): number => polled.filter(({ status }) => status === 0).length;

export async function runCqOverrun(ctx: Context): Promise<void> {
  const entries = await entriesOf(ctx);
  const beyond = entries + ctx.params.extra;
  const settings = [...new Set([1, entries >> 1, entries - 1, entries, beyond, 2 * entries])].sort(
    (a, b) => a - b,
  );
  const late: Late[] = [];
  for (const [i, posted] of settings.entries()) {
    ctx.progress(i / (settings.length + 2), `${plural(posted, 'request')} before the first poll`);
    const one = await postLate(ctx, posted);
    late.push(one);
    ctx.point('polled', { x: posted, y: succeeded(one), series: 'polled' });
    ctx.point('polled', { x: posted, y: posted, series: 'posted' });
    ctx.row('late', {
      posted,
      polled: succeeded(one),
      lost: posted - succeeded(one),
      event: one.overrun ? 'CQ_ERR' : 'none',
    });
  }
  const fits = late.filter(({ posted }) => posted <= entries);
  const over = late.filter(({ posted }) => posted > entries);
  ctx.check(
    'fits',
    fits.every((one) => succeeded(one) === one.posted && !one.overrun),
    `With up to ${plural(entries, 'request')} before the first poll, ${fits.map(succeeded).join(', ')} completions came from ${fits.map(({ posted }) => posted).join(', ')}.`,
  );
  ctx.check(
    'overrun',
    over.every((one) => one.overrun && one.polled.length < one.posted),
    `With ${over.map(({ posted }) => posted).join(' and ')} requests the device reported ${over.map(({ overrun }) => (overrun ? 'CQ_ERR' : 'nothing')).join(' and ')}, and the client polled ${over.map(({ polled }) => polled.length).join(' and ')} completions.`,
  );
  const broken = await breakQueue(ctx, beyond);
  checkBroken(ctx, broken);
  const resized = await postLate(ctx, 2 * entries, true);
  ctx.check(
    'resized',
    succeeded(resized) === 2 * entries,
    `After ibv_resize_cq to ${resized.entries} entries, ${plural(2 * entries, 'request')} before the first poll made ${plural(succeeded(resized), 'completion')}.`,
  );
  ctx.figure('entries', entries);
  ctx.figure('survived', succeeded(broken));
  ctx.figure('lost', broken.posted - succeeded(broken));
  ctx.figure('after', worked(broken));
  ctx.answer(
    `A completion queue of ${entries} held ${plural(succeeded(fits.at(-1)!), 'completion')}. Request ${entries + 1} without a poll caused ${broken.events.join(' and ') || 'no event'}; ` +
      `the client’s QP was in ${broken.client}, and ${worked(broken)} of ${plural(broken.accepted, 'later request')} succeeded.`,
  );
}

function checkBroken(ctx: Context, broken: Broken): void {
  const { events, client, server, accepted, full, after } = broken;
  const statuses = [...new Set(after.map(({ statusName }) => statusName))].join(', ');
  const ends = `${plural(after.length, 'completion')}${statuses === '' ? '' : ` (${statuses})`}`;
  for (const [what, found] of [
    ['Asynchronous events', events.join(', ') || 'none'],
    ['Client’s QP', client],
    ['Server’s QP', server],
    ['Later posts accepted', `${formatCount(accepted)}${full ? ', then ENOMEM' : ''}`],
    ['Completions of later posts', ends],
  ] as const)
    ctx.row('broken', { what, found });
  ctx.outcome('qp', client === 'ERR' ? 'error' : 'goes-on');
  ctx.outcome('who', server === 'ERR' ? 'both' : 'client');
  const fatal = events.includes('QP_FATAL');
  if (!fatal && client !== 'ERR')
    ctx.doesNotApply('fatal', `This device left the QP in ${client} and reported no QP_FATAL.`);
  else
    ctx.check(
      'fatal',
      fatal && client === 'ERR' && server === 'RTS',
      `The client’s device reported ${events.join(', ') || 'nothing'}. Its QP is in ${client}, the server’s in ${server}.`,
    );
  if (!fatal && client !== 'ERR')
    return ctx.doesNotApply(
      'useless',
      `This device left the QP in ${client}. ${plural(accepted, 'request')} ${accepted === 1 ? 'was' : 'were'} accepted after the overrun and the poll, and ${worked(broken)} succeeded.`,
    );
  ctx.check(
    'useless',
    worked(broken) === 0,
    `${plural(accepted, 'request')} ${accepted === 1 ? 'was' : 'were'} accepted after the overrun and the poll${full ? ', then came ENOMEM' : ''}. They made ${ends}, and ${worked(broken)} succeeded.`,
  );
}

/** Requests that succeeded after the overrun. */
const worked = ({ after }: Broken): number => after.filter(({ status }) => status === 0).length;
