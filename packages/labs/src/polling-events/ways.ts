import type { WaitWay } from '@verbslab/protocol';

export const WAYS: readonly { id: WaitWay; title: string }[] = [
  { id: 'poll', title: 'Poll' },
  { id: 'event', title: 'Sleep until an event' },
  { id: 'adaptive', title: 'Poll for the budget, then sleep' },
];
