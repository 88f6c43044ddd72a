import { HOST_PARTS, type HostPart, type LabDescription, type StepPicture } from '@verbslab/protocol';

/** State of a part in a step: not created yet, present, or affected by the step in one of three ways. */
export type PartLook = 'absent' | 'there' | 'makes' | 'uses' | 'removes';

export interface PictureOfStep {
  /** Looks by role and part, such as `client.qp`. */
  looks: ReadonlyMap<string, PartLook>;
  sends: NonNullable<StepPicture['sends']>;
  /** Picture in words: lines with an action of the step and its parts. */
  lines: readonly { title: string; text: string }[];
}

export const PART_NAMES: Record<HostPart, string> = {
  device: 'device',
  pd: 'PD',
  mr: 'MR',
  qp: 'QP',
  sq: 'send queue',
  rq: 'receive queue',
  cq: 'CQ',
};

const DEEDS = [
  ['makes', 'Creates'],
  ['uses', 'Uses'],
  ['removes', 'Destroys'],
] as const;

/** Picture that the lab declares for step `index`; null without a declaration. */
export function pictureOf(lab: LabDescription, index: number): PictureOfStep | null {
  const step = lab.steps?.[index]?.picture;
  if (!step) return null;
  const looks = new Map<string, PartLook>();
  for (const { name } of lab.roles)
    for (const part of HOST_PARTS) looks.set(`${name}.${part}`, part === 'device' ? 'there' : 'absent');
  const put = (names: readonly string[] | undefined, look: PartLook) =>
    names?.filter((name) => looks.has(name)).forEach((name) => looks.set(name, look));
  for (const { picture } of lab.steps!.slice(0, index)) {
    put(picture?.makes, 'there');
    put(picture?.removes, 'absent');
  }
  for (const [deed] of DEEDS) put(step[deed], deed);

  const title = (role: string) => lab.roles.find(({ name }) => name === role)?.title.toLowerCase() ?? role;
  const lines: { title: string; text: string }[] = DEEDS.flatMap(([deed, word]) => {
    const text = partsText(lab, step[deed] ?? [], title);
    return text === '' ? [] : [{ title: word, text }];
  });
  const sends = step.sends ?? [];
  for (const outOfBand of [false, true]) {
    const some = sends.filter((send) => (send.outOfBand ?? false) === outOfBand);
    if (some.length > 0)
      lines.push({
        title: outOfBand ? 'Exchanges, out of band' : 'Sends',
        text: some.map(({ from, to, text }) => `${title(from)} to ${title(to)}: ${text}`).join('; '),
      });
  }
  return { looks, sends, lines };
}

/** Text such as `PD and MR at both; CQ at the client`. */
function partsText(lab: LabDescription, names: readonly string[], title: (role: string) => string): string {
  const roles = lab.roles.map(({ name }) => name);
  const byPlace = new Map<string, string[]>();
  for (const part of HOST_PARTS) {
    const at = roles.filter((role) => names.includes(`${role}.${part}`));
    if (at.length === 0) continue;
    const place =
      at.length === roles.length && at.length > 1
        ? 'on both sides'
        : `at the ${at.map(title).join(' and the ')}`;
    byPlace.set(place, [...(byPlace.get(place) ?? []), PART_NAMES[part]]);
  }
  return [...byPlace].map(([place, parts]) => `${listed(parts)} ${place}`).join('; ');
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
