/** Words for the choices of a parameter, for pages and reports alike. */
const UPPER = new Set(['rdma', 'shm', 'tcp', 'udp', 'cq', 'qp']);

/** Returns the lab’s title of the choice. Without one, "both-in-turn" is "Both in turn", "rdma" is "RDMA". */
export function choiceLabel(
  choice: string,
  { choiceTitles = {} }: { choiceTitles?: Readonly<Record<string, string>> } = {},
): string {
  const title = choiceTitles[choice];
  if (title !== undefined) return title;
  const words = choice.split('-').map((w) => (UPPER.has(w) ? w.toUpperCase() : w));
  const joined = words.join(' ');
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}

/** A choice inside a sentence. */
export const choiceText = (
  choice: string,
  { choiceTitles = {} }: { choiceTitles?: Readonly<Record<string, string>> } = {},
): string => choiceTitles[choice] ?? choiceLabel(choice).toLowerCase();
