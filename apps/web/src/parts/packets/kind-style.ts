import type { PacketKind } from '@verbslab/roce';

/** Color of a packet kind, as text and as line; NAK magenta and retransmission amber as everywhere. */
export const KIND_INK: Record<PacketKind, string> = {
  send: 'text-rdma-ink',
  write: 'text-rdma-ink',
  'read-request': 'text-rdma-ink',
  'read-response': 'text-rdma-ink',
  atomic: 'text-rdma-ink',
  'atomic-ack': 'text-rdma-ink',
  ack: 'text-ink-3',
  nak: 'text-nak-ink',
  rnr: 'text-nak-ink',
  cnp: 'text-retx-ink',
  cm: 'text-ink-2',
  flush: 'text-rdma-ink',
  other: 'text-ink-3',
  malformed: 'text-error-ink',
};

export const KIND_LINE: Record<PacketKind, string> = {
  send: 'var(--rdma)',
  write: 'var(--rdma)',
  'read-request': 'var(--rdma)',
  'read-response': 'var(--rdma)',
  atomic: 'var(--rdma)',
  'atomic-ack': 'var(--rdma)',
  ack: 'var(--line-strong)',
  nak: 'var(--nak)',
  rnr: 'var(--nak)',
  cnp: 'var(--retx)',
  cm: 'var(--ink-2)',
  flush: 'var(--rdma)',
  other: 'var(--line-strong)',
  malformed: 'var(--error)',
};
