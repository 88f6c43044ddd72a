import { exercise, type ExerciseSpec, type Measure } from './exercise.js';

interface Question {
  id: string;
  title: string;
  text: string;
  /** Options with the right one first; the page shows them in another order. */
  options: readonly [string, ...string[]];
  worked: string;
  measure?: Measure;
}

/** A question without numbers. What is drawn is the order of its options. */
function question({ id, title, text, options, worked, measure }: Question): ExerciseSpec {
  const all = options.map((one, i) => ({ id: i === 0 ? 'right' : `other-${i}`, text: one }));
  return exercise({
    id,
    title,
    numbers: {},
    text: () => text,
    fields: [{ kind: 'choice', id: 'answer', label: 'Answer', options: all, answer: () => 'right' }],
    worked: () => [worked],
    ...(measure === undefined ? {} : { measure }),
  });
}

export const QUESTIONS = [
  question({
    id: 'where-queues',
    title: 'Where do the queues live?',
    text: 'Where are the entries of a send queue stored, on usual NICs?',
    options: [
      'In host memory that the program and the NIC share; the NIC reads them by DMA',
      'In the kernel, which copies them to the NIC',
      'Only in memory on the NIC',
    ],
    worked:
      'The program writes the entry into host memory that is mapped into its address space, then rings a doorbell, which is a register of the NIC. The NIC fetches the entry by DMA. Some NICs also take small entries with the doorbell.',
    measure: { lab: 'copies-and-calls', text: 'Count system calls on the fast path.' },
  }),
  question({
    id: 'who-copies',
    title: 'Who moves the data?',
    text: 'An RDMA WRITE arrives. Who puts its data into the memory of the target?',
    options: [
      'The NIC of the target, by DMA',
      'The kernel of the target, in an interrupt',
      'A thread of the target’s program',
    ],
    worked:
      'The NIC checks QP, rkey, range and access right, and writes the data. On a software device the CPU does this in place of the NIC, which is why Verbs Lab shows it as NIC work.',
    measure: { lab: 'copies-and-calls', text: 'Count the copies with sockets and with RDMA.' },
  }),
  question({
    id: 'when-reuse',
    title: 'When may a buffer be used again?',
    text: 'A program has posted a signaled RDMA WRITE over RC. When may it overwrite the source buffer?',
    options: [
      'After it has polled the completion',
      'As soon as ibv_post_send has returned',
      'As soon as the last packet has left the NIC',
    ],
    worked:
      'Until the ACK arrives, the NIC may have to send the data again, and it would read it from the buffer again. The completion comes only after the ACK.',
    measure: { lab: 'clinic-tour', text: 'See what an early overwrite does.' },
  }),
  question({
    id: 'why-silent',
    title: 'Why does the target hear nothing?',
    text: 'A WRITE has completed at the client, but the server’s CQ stays empty. Why?',
    options: [
      'A WRITE completes at the target only with immediate data, which consumes a RECV',
      'The server has not called ibv_req_notify_cq',
      'The server’s CQ has overrun',
    ],
    worked:
      'A WRITE is one-sided. To tell the target, send an immediate, a SEND afterwards, or let it poll memory.',
    measure: { lab: 'notify-target', text: 'Measure four ways to tell the target.' },
  }),
  question({
    id: 'who-is-interrupted',
    title: 'Who is interrupted by a READ?',
    text: 'A client reads 1 MiB from a server by RDMA READ. What does the server’s program do meanwhile?',
    options: [
      'Nothing: its NIC answers',
      'It posts a SEND for each response',
      'It wakes once to allow the READ',
    ],
    worked:
      'The responder’s NIC sends the responses. The server gave its permission when it registered the memory with IBV_ACCESS_REMOTE_READ and set up its QP with the same right.',
    measure: { lab: 'write-read', text: 'Watch a server that makes no call.' },
  }),
  question({
    id: 'what-loss-does',
    title: 'What does a lost packet do?',
    text: 'A packet of an RC connection is lost on the way. What happens?',
    options: [
      'It is sent again; the connection breaks only after retry_cnt retries without success',
      'The connection breaks at once, since RDMA needs a lossless network',
      'The program gets an error and has to post the request again',
    ],
    worked:
      'RC retransmits, after a NAK or a timeout. When the retries are used up, the request fails with IBV_WC_RETRY_EXC_ERR (12) and the QP goes to ERR. Lossless Ethernet makes loss rare; RC does not require it.',
    measure: { lab: 'loss-cost', text: 'Lose packets on purpose.' },
  }),
  question({
    id: 'what-bounds-reads',
    title: 'What does initiator_depth limit?',
    text: 'An rdma_cm connection has initiator_depth = 1. What can the requester have in flight only once at a time?',
    options: ['READs and atomics', 'All work requests', 'WRITEs and SENDs'],
    worked:
      'initiator_depth and responder_resources become max_rd_atomic and max_dest_rd_atomic: the responder must keep the state of READs and atomics to answer a repeated request. WRITEs and SENDs are bounded by the send queue.',
    measure: { lab: 'outstanding', text: 'Change what is outstanding.' },
  }),
  question({
    id: 'missing-recv',
    title: 'WRITE with immediate, and no RECV',
    text: 'A WRITE with immediate arrives over RC, and no RECV is posted. What happens?',
    options: [
      'The responder sends an RNR NAK, and the requester tries again later',
      'The data is written and the notification is lost',
      'The responder’s QP goes to ERR at once',
    ],
    worked:
      'The immediate needs a RECV. Without one the responder is not ready; the requester waits and tries again, up to rnr_retry times (7: without end). Nothing is lost silently.',
    measure: { lab: 'write-imm', text: 'Send one without a RECV.' },
  }),
  question({
    id: 'unmapped',
    title: 'munmap while registered',
    text: 'A program unmaps memory that is still registered with a NIC, without on-demand paging. A peer then writes to it by its rkey. What happens?',
    options: [
      'The WRITE succeeds, into pages that the program no longer sees',
      'The WRITE fails with a remote access error',
      'The program is ended with SIGSEGV',
    ],
    worked:
      'The registration keeps the pages pinned, so the NIC goes on writing into them. Deregister first, then unmap.',
    measure: { lab: 'clinic-tour', text: 'See it happen.' },
  }),
  question({
    id: 'zero-timeout',
    title: 'timeout = 0',
    text: 'A QP has timeout = 0, and its peer is gone. When does a WRITE fail?',
    options: ['Never: 0 means to wait forever', 'At once', 'After 4.096 µs'],
    worked: '0 turns the timer off. Without an answer the request stays in flight until the QP leaves RTS.',
    measure: { lab: 'retry-timers', text: 'Try small timeouts and 0.' },
  }),
  question({
    id: 'never-polled',
    title: 'A CQ that is never polled',
    text: 'A CQ has fewer entries than the send queue that completes into it. Every request is signaled, and the program never polls. What happens first?',
    options: [
      'The CQ is full, and the next completion overruns it: an asynchronous error',
      'Nothing: completions wait in the NIC until there is room',
      'Old completions are overwritten silently',
    ],
    worked:
      'An overrun raises IBV_EVENT_CQ_ERR and, by the specification, breaks each QP that then completes a request there. A CQ must have room for everything that may complete before it is polled. With a CQ as large as the send queue, that of mlx5 and of the embedded device fills first: a slot is free again only when its completion was polled, and ibv_post_send fails with ENOMEM.',
    measure: { lab: 'cq-overrun', text: 'Overrun one.' },
  }),
  question({
    id: 'what-rkey',
    title: 'What does an rkey allow?',
    text: 'Someone knows the rkey and the address of your buffer. What else do they need to write into it?',
    options: [
      'A connected QP in the region’s protection domain, and the right to remote writes on both',
      'Nothing: the rkey is a password',
      'The lkey of the region',
    ],
    worked:
      'The responder checks the QP, its protection domain, the rkey, the range and the access flags of region and QP. An rkey alone gives no access.',
    measure: { lab: 'memory-windows', text: 'Grant and withdraw rights.' },
  }),
];
