import type { LabContext } from '@verbslab/protocol';
import { plural } from '../base/format.js';

/** Failed checks that the answer quotes. The others are counted. */
const QUOTED = 3;

function failedText(texts: readonly string[]): string {
  if (texts.length === 0) return '';
  const more = texts.length - QUOTED;
  const rest = more > 0 ? ` And ${more} more.` : '';
  return ` ${plural(texts.length, 'check')} failed: ${texts.slice(0, QUOTED).join(' ')}${rest}`;
}

/**
 * A context that names the failed checks behind the answer: a sentence of the answer may say what a check has refuted.
 *
 * @param checks the checks that the lab declares
 */
export function namingFailures<P>(
  ctx: LabContext<P>,
  checks: readonly { id: string; text: string }[],
): LabContext<P> {
  const failed = new Set<string>();
  let answer: string | null = null;
  const tell = (): void => {
    const texts = checks.filter(({ id }) => failed.has(id)).map(({ text }) => text);
    if (answer !== null) ctx.answer(answer + failedText(texts));
  };
  return {
    ...ctx,
    check: (id, ok, detail) => {
      ctx.check(id, ok, detail);
      if (ok) return;
      failed.add(id);
      tell();
    },
    answer: (text) => {
      answer = text;
      tell();
    },
  };
}
