import type { EndpointLoopResult, LabContext } from '@verbslab/protocol';
import { heightOf } from '../form/common-results.js';
import { formatBytes } from '../base/format.js';
import { bandwidth, cpuPerMessageOf, messageRate } from '../load/loop.js';
import { closePair, connectPair } from '../load/pair.js';
import { WARM_UP_MS } from '../form/common-params.js';
import { powersOfTwo, statOf, sweep } from '../base/sweep.js';
import { tooBusy } from '../endpoints/too-busy.js';
import { compare, doubtOf, fewText, ratioText, repetitionsFor } from '../base/verdict.js';
import { overwriteBuffers, tooLarge } from './overwrite.js';
import type { InlineParams } from './params.js';

type Context = LabContext<InlineParams>;

const DEPTH = 128;
const SIGNAL_EVERY = 32;

export async function runInline(ctx: Context): Promise<void> {
  const { largest, postList, duration, repeat, link } = ctx.params;
  const sizes = powersOfTwo(largest, 8);
  const settings = sizes.flatMap((size) => [false, true].map((inline) => ({ size, inline })));
  const pair = await connectPair(ctx, {
    link,
    memory: 65_536,
    sendDepth: DEPTH,
    maxInlineData: largest,
    events: true,
  });
  const loops = await sweep(
    ctx,
    settings,
    repeat,
    ({ size, inline }) => `${formatBytes(size)} ${inline ? 'inline' : 'gathered'}`,
    ({ size, inline }) =>
      bandwidth(pair, {
        size,
        inline,
        postList,
        txDepth: DEPTH,
        cqMod: SIGNAL_EVERY,
        wait: 'event',
        durationMs: duration,
        omitMs: WARM_UP_MS,
      }),
  );
  await closePair(pair);
  const rates = settings.map(({ size, inline }, i) => {
    const rate = statOf(loops[i]!.map((loop) => messageRate(loop) / 1000));
    const cpu = cpuPerMessageOf(loops[i]!);
    const series = inline ? 'inline' : 'gathered';
    ctx.point('rate', { x: size, ...heightOf(rate), series });
    ctx.point('cpu', { x: size, ...heightOf(cpu), series });
    return rate;
  });
  const clear: string[] = [];
  sizes.forEach((size, i) => {
    const [gathered, inline] = [rates[2 * i]!, rates[2 * i + 1]!];
    const difference = ratioText(inline, gathered, sizes.length);
    ctx.row('sizes', { size, gathered: gathered.value, inline: inline.value, difference });
    if (doubtOf(inline, gathered, sizes.length) === null) clear.push(`${formatBytes(size)} (${difference})`);
  });
  ctx.figure('gathered', rates[0]!.value, rates[0]);
  ctx.figure('inline', rates[1]!.value, rates[1]);
  ctx.figure('clear', clear.length);
  sameWork(ctx, settings, loops);
  await tooLarge(ctx);
  const arrived = await overwriteBuffers(ctx);
  const few = compare(rates[1]!, rates[0]!, sizes.length) === 'few';
  const found = few
    ? fewText(rates[0]!.n, repetitionsFor(sizes.length))
    : clear.length === 0
      ? `no clear difference in message rate at any of ${sizes.length} sizes`
      : `a clear difference in message rate at ${clear.join(', ')}`;
  ctx.answer(`Inline compared with gathered: ${found}.${arrived}`);
}

interface Setting {
  size: number;
  inline: boolean;
}

/** `loops`: the repetitions of each setting. */
function sameWork(
  ctx: Context,
  settings: readonly Setting[],
  loops: readonly (readonly EndpointLoopResult[])[],
): void {
  const named = (holds: (setting: Setting, repetitions: readonly EndpointLoopResult[]) => boolean): string =>
    settings
      .filter((setting, i) => holds(setting, loops[i]!))
      .map(({ size, inline }) => `${formatBytes(size)} ${inline ? 'inline' : 'gathered'}`)
      .join(', ');
  const wrong = named(({ size }, all) => all.some(({ bytes, messages }) => bytes !== messages * size));
  const idle = named((_, all) => all.every(({ messages }) => messages === 0));
  if (wrong === '' && idle !== '')
    return ctx.doesNotApply('same-work', tooBusy(`no message completed in the measured time with ${idle}.`));
  ctx.check(
    'same-work',
    wrong === '',
    wrong === ''
      ? 'Every message carried its whole payload, inline and gathered.'
      : `Bytes and messages are wrong for ${wrong}.`,
  );
}
