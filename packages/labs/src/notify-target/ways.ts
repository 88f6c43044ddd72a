/** The ways to notify a target that are compared. */
import type { EndpointArgs } from '@verbslab/protocol';

type Answer = EndpointArgs<'answerNotices'>;

export interface Way {
  id: string;
  title: string;
  way: Answer['way'];
  wait: Answer['wait'];
  /** The specification says that the message is complete when the target notices it. */
  ordered: boolean;
  /** The target’s program must keep RECVs posted. */
  recv: boolean;
}

export const WAYS: readonly Way[] = [
  {
    id: 'memory',
    title: 'Poll the last byte',
    way: 'memory',
    wait: 'poll',
    ordered: false,
    recv: false,
  },
  {
    id: 'counter',
    title: 'FETCH_ADD, poll the counter',
    way: 'counter',
    wait: 'poll',
    ordered: true,
    recv: false,
  },
  { id: 'send', title: 'SEND afterward, poll the CQ', way: 'send', wait: 'poll', ordered: true, recv: true },
  { id: 'imm', title: 'WRITE_WITH_IMM, poll the CQ', way: 'imm', wait: 'poll', ordered: true, recv: true },
  {
    id: 'send-sleep',
    title: 'SEND afterward, sleep',
    way: 'send',
    wait: 'event',
    ordered: true,
    recv: true,
  },
  {
    id: 'imm-sleep',
    title: 'WRITE_WITH_IMM, sleep',
    way: 'imm',
    wait: 'event',
    ordered: true,
    recv: true,
  },
];
