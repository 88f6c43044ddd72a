/** Parts that the page of a lab lacks. A test looks for them in every lab. */
import { labCode } from './code.js';
import type { Lab } from '../form/define.js';
import { drawSelfChecks } from '../form/self-checks.js';
import type { Block, LabText } from '../base/text-form.js';

const FEWEST_SELF_CHECKS = 2;
const FEWEST_TRAPS = 2;
/** Draws among which a question with numbers must differ. */
const DRAWS = 12;

const entries = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (block.kind === 'list' ? block.items.length : 0), 0);

/** The labs that the last paragraph of “Where it matters” names after “Next:”. */
export function nextLabs({ matters }: LabText): string[] {
  const last = matters.at(-1);
  if (last?.kind !== 'paragraph') return [];
  const [first, ...rest] = last.children;
  if (first?.kind !== 'text' || !first.text.startsWith('Next: ')) return [];
  return rest.flatMap((one) => (one.kind === 'lab' ? [one.lab] : []));
}

/** True if the numbers of at least one question change from draw to draw. */
function drawsNumbers({ selfChecks }: Lab): boolean {
  const drawn = Array.from({ length: DRAWS }, (_, seed) => drawSelfChecks(selfChecks, seed));
  return selfChecks.some((_, i) => new Set(drawn.map((set) => set[i]?.text)).size > 1);
}

/** Sentences; empty if the page is complete. */
export function pageFaults(lab: Lab, text: LabText): string[] {
  const { description, selfChecks, withoutProgram } = lab;
  const code = labCode(description.id).length;
  const next = [...(description.ending?.next ?? []).map(({ lab: id }) => id), ...nextLabs(text)];
  const faults: [boolean, string][] = [
    [
      selfChecks.length < FEWEST_SELF_CHECKS,
      `It has ${selfChecks.length} self-checks. Give it ${FEWEST_SELF_CHECKS} or 3.`,
    ],
    [!drawsNumbers(lab), 'No self-check draws its numbers. Use numberCheck.'],
    [entries(text.traps) < FEWEST_TRAPS, `It lists fewer than ${FEWEST_TRAPS} traps.`],
    [entries(text.sources) === 0, 'It lists no sources.'],
    [
      next.every((id) => id === description.id),
      'It names no next lab. End “Where it matters” with “Next: [title](lab:id).”',
    ],
    [
      code === 0 && withoutProgram === null,
      'It has no program. Add code/main.c, main.py or main.ts, or say why in withoutProgram.',
    ],
    [code > 0 && withoutProgram !== null, 'It has a program and says why it has none.'],
  ];
  return faults.flatMap(([is, fault]) => (is ? [fault] : []));
}

/**
 * Places where following “Next” leaves the order of the catalog, as sentences. The first lab that “Next” names must be
 * the one that follows in `labs`; the last lab may name any.
 */
export function orderFaults(labs: readonly { id: string; next: readonly string[] }[]): string[] {
  return labs.flatMap(({ id, next: [first] }, i) => {
    const after = labs[i + 1]?.id;
    return after === undefined || first === after
      ? []
      : [`“Next” of ${id} names ${first ?? 'no lab'}. The catalog’s next lab is ${after}.`];
  });
}
