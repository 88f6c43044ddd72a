/** What a key does in the picture and its controls. */
export type PlayerAction =
  | 'play'
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'table'
  | 'lose'
  | 'next-packet'
  | 'previous-packet';

const ACTIONS: Readonly<Record<string, PlayerAction>> = {
  ' ': 'play',
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  Home: 'first',
  End: 'last',
  t: 'table',
  x: 'lose',
  ArrowDown: 'next-packet',
  ArrowUp: 'previous-packet',
};

/** The action of a key press. `packets`: packets can be lost. Null: the key is left to the page. */
export function actionOf(
  press: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean },
  packets: boolean,
): PlayerAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return null;
  const action = ACTIONS[press.key] ?? null;
  const needsPackets = action === 'lose' || action === 'next-packet' || action === 'previous-packet';
  return needsPackets && !packets ? null : action;
}
