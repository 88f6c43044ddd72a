import { OUTCOME_TERMS } from './outcome-terms';

/** The words of the field, one or two sentences each. `forms` are further spellings that mean the same. */
export const TERMS = {
  ecdf: {
    term: 'cumulative distribution',
    meaning:
      'For each latency, the share of all operations that took at most that long. Where two such curves are far apart, the runs differ.',
  },
  ksDistance: {
    term: 'Kolmogorov–Smirnov distance',
    meaning:
      'The largest vertical gap between two cumulative distributions, from 0 to 1. It sees any difference in shape, not only in the median.',
  },
  pareto: {
    term: 'Pareto front',
    meaning:
      'The runs that no other run beats in goodput or CPU time without being worse in the other. To be faster than one of them costs CPU time; to be cheaper costs goodput.',
  },
  rdma: {
    term: 'RDMA',
    meaning:
      'Remote direct memory access: a device moves data between the memories of two programs by itself.',
  },
  roce: {
    term: 'RoCE',
    meaning: 'RDMA over Converged Ethernet. Version 2 puts RDMA packets into UDP/IP.',
    forms: ['RoCEv2'],
  },
  verbs: {
    term: 'verbs',
    meaning: 'The calls of libibverbs, by which a program uses an RDMA device.',
    forms: ['verbs call', 'verbs calls'],
  },
  qp: {
    term: 'QP',
    meaning: 'Queue pair: a send queue and a receive queue, the RDMA counterpart of a socket.',
    forms: ['QPs', 'queue pair', 'queue pairs'],
  },
  sq: {
    term: 'send queue',
    meaning: 'The half of a QP that holds outgoing work requests: WRITE, READ, SEND and atomics.',
  },
  rq: {
    term: 'receive queue',
    meaning:
      'The half of a QP that holds buffers for the messages that the peer SENDs. WRITE and READ need none.',
  },
  cq: {
    term: 'CQ',
    meaning: 'Completion queue: where the device reports finished work requests.',
    forms: ['CQs', 'completion queue', 'completion queues'],
  },
  cqe: {
    term: 'CQE',
    meaning: 'Completion queue entry, or completion: it says how one work request ended.',
    forms: ['CQEs', 'completion', 'completions'],
  },
  channel: {
    term: 'completion channel',
    meaning:
      'A file descriptor that wakes a program when a completion arrives in an armed CQ, so that it need not poll.',
  },
  wr: {
    term: 'WR',
    meaning: 'Work request: one instruction to the device, posted to a queue.',
    forms: ['WRs', 'work request', 'work requests'],
  },
  post: {
    term: 'post',
    meaning: 'To put a work request into a queue. The device takes it from there.',
    forms: ['posts', 'posted'],
  },
  mr: {
    term: 'MR',
    meaning: 'Memory region: memory registered with the device, with keys that grant access to it.',
    forms: ['MRs', 'memory region', 'memory regions', 'registers memory', 'registers', 'registering'],
  },
  pd: {
    term: 'PD',
    meaning: 'Protection domain: a group of objects. A QP can use only memory regions of its own domain.',
    forms: ['PDs', 'protection domain', 'protection domains'],
  },
  fetchAdd: {
    term: 'FETCH_ADD',
    meaning: 'An atomic: the peer’s device adds to 8 bytes of its memory and returns the old value.',
  },
  cmpSwap: {
    term: 'CMP_SWAP',
    meaning:
      'An atomic: the peer’s device replaces 8 bytes of its memory if they hold the expected value. It returns the old one.',
    forms: ['CMP_SWAPs'],
  },
  rc: {
    term: 'RC',
    meaning: 'Reliable connection: packets are acknowledged, lost ones are sent again, order is kept.',
  },
  uc: { term: 'UC', meaning: 'Unreliable connection: no acknowledgments, and what is lost stays lost.' },
  ud: { term: 'UD', meaning: 'Unreliable datagram: one packet to any UD QP, without a connection.' },
  rnr: { term: 'RNR', meaning: 'Receiver not ready: a message came, and no RECV was posted.' },
  lkey: { term: 'lkey', meaning: 'Local key: names a memory region in your own work requests.' },
  rkey: {
    term: 'rkey',
    meaning: 'Remote key: a peer that has it can access the memory region, within the rights granted.',
  },
  access: {
    term: 'REMOTE_WRITE',
    meaning: 'A right that you grant when you register memory. Without it the device refuses the access.',
    forms: ['REMOTE_READ', 'REMOTE_ATOMIC', 'LOCAL_WRITE'],
  },
  mw: {
    term: 'memory window',
    meaning: 'A part of a memory region with rights and an rkey of its own.',
    forms: ['memory windows', 'MW_BIND'],
  },
  invalidate: {
    term: 'LOCAL_INV',
    meaning:
      'A work request by which a device stops accepting an rkey. The peer asks for the same with SEND_WITH_INV.',
    forms: ['SEND_WITH_INV'],
  },
  qpn: {
    term: 'QPN',
    meaning:
      'Queue pair number: 24 bits that name a QP at its device. Each packet carries the QPN of its destination.',
    forms: ['QPNs'],
  },
  psn: {
    term: 'PSN',
    meaning:
      'Packet sequence number: 24 bits. Each QP counts the packets of its own requests. An ACK repeats the number that it acknowledges; READ responses use the numbers that their READ reserved.',
    forms: ['PSNs'],
  },
  outOfBand: {
    term: 'out of band',
    meaning:
      'Over another channel, such as TCP: two queue pairs need each other’s address and numbers before RDMA works between them.',
  },
  cm: {
    term: 'connection manager',
    meaning:
      'The RDMA CM (librdmacm): connects QPs by IP address and port. A connection request carries up to 56 bytes of private data.',
    forms: ['CM'],
  },
  writeImm: {
    term: 'WRITE_WITH_IMM',
    meaning:
      'A WRITE that also carries 4 bytes of immediate data and takes a RECV of the peer, whose program gets a completion.',
  },
  reset: { term: 'RESET', meaning: 'The QP exists. It can neither receive nor send.' },
  init: { term: 'INIT', meaning: 'You can post receives. The QP neither receives nor sends packets.' },
  rtr: { term: 'RTR', meaning: 'Ready to receive: can receive, but not send.' },
  rts: {
    term: 'RTS',
    meaning: 'Ready to send: can receive and send. In a rendezvous: request to send.',
  },
  cts: {
    term: 'CTS',
    meaning: 'Clear to send: the receiver of a rendezvous says where the message may be written.',
  },
  fin: {
    term: 'FIN',
    meaning:
      'Finished: the receiver of a rendezvous with READ says that it has the message, in TCP an end says that it sends no more.',
  },
  established: {
    term: 'ESTABLISHED',
    meaning: 'The event of the connection manager that tells an end that its connection can carry messages.',
  },
  disconnected: {
    term: 'DISCONNECTED',
    meaning: 'The event of the connection manager that tells an end that the connection is over.',
  },
  timewaitExit: {
    term: 'TIMEWAIT_EXIT',
    meaning:
      'The event of the connection manager that tells an end that late packets of its old connection can no longer arrive.',
  },
  sqd: {
    term: 'SQD',
    meaning: 'Send queue drained: finishes work requests that it began, starts no new ones. Can receive.',
  },
  sqe: { term: 'SQE', meaning: 'Send queue error: a send failed. Can receive, but not send.' },
  err: {
    term: 'ERR',
    meaning: 'Error: all work requests end with a flush error. The QP neither receives nor sends.',
  },
  write: {
    term: 'WRITE',
    meaning:
      'RDMA WRITE: puts bytes from your memory into the peer’s memory. The peer’s program does nothing.',
    forms: ['WRITEs', 'RDMA WRITE'],
  },
  read: {
    term: 'READ',
    meaning: 'RDMA READ: fetches bytes from the peer’s memory into yours. The peer’s program does nothing.',
    forms: ['READs'],
  },
  send: {
    term: 'SEND',
    meaning: 'Sends a message into a buffer that the peer has posted to its receive queue.',
    forms: ['SENDs'],
  },
  segments: {
    term: 'First, Middle and Last',
    meaning:
      'A message larger than the path MTU travels in a First packet, any number of Middle packets and a Last packet. A short one is a single Only packet.',
    // Not the bare words: sentences begin with them.
    forms: [
      'First, Middle',
      'First and Last',
      'First packet',
      'Middle',
      'Only packet',
      'WRITE Only',
      'an Only',
    ],
  },
  reth: {
    term: 'RETH',
    meaning: 'RDMA extended transport header: address, rkey and length of a WRITE or READ.',
  },
  ack: {
    term: 'ACK',
    meaning: 'Acknowledgment: the receiver has all packets up to a PSN.',
    forms: ['ACKs', 'acknowledge', 'acknowledged'],
  },
  nak: {
    term: 'NAK',
    meaning:
      'Negative acknowledgment: the receiver refuses a packet and says why, for example that packets before it are missing, that the rkey does not allow it, or that no receive is posted yet (RNR).',
    forms: ['NAKs'],
  },
  recv: {
    term: 'RECV',
    meaning:
      'A receive that a program has posted. A SEND puts its data into the oldest one; a WRITE with immediate only completes it.',
    forms: ['RECVs'],
  },
  sge: {
    term: 'SGE',
    meaning: 'Scatter/gather element: address, length and lkey of one piece of a message’s memory.',
    forms: ['SGEs'],
  },
  grh: {
    term: 'GRH',
    meaning:
      'Global routing header: the 40 bytes in front of a received datagram that hold the addresses of both ends.',
  },
  active: { term: 'ACTIVE', meaning: 'State of a port that can send and receive packets.' },
  ...OUTCOME_TERMS,
  gid: {
    term: 'GID',
    meaning:
      'Global identifier: 128 bits that name a port. In RoCEv2 it is the IPv6 address, or ::ffff: and the IPv4 address.',
    forms: ['GIDs'],
  },
  mtu: {
    term: 'MTU',
    meaning: 'Largest payload of one RDMA packet. Headers are not counted: a 1500-byte link gives 1024.',
    forms: ['MTUs', 'path MTU'],
  },
  goodput: {
    term: 'Goodput',
    meaning: 'Payload delivered per second. Throughput counts what is on the wire, headers included.',
  },
  signaled: {
    term: 'signaled',
    meaning:
      'The device writes a CQE when a signaled work request ends, and when any request fails. An unsignaled one that succeeds frees its queue slot only when the program polls the CQE of a later one.',
  },
  depth: {
    term: 'depth',
    forms: ['tx-depth'],
    meaning: 'How many work requests may be outstanding at once (perftest calls it tx-depth).',
  },
  nic: {
    term: 'NIC',
    meaning:
      'Network interface card. An RDMA NIC cuts messages into packets, acknowledges them and writes to memory by itself, while the CPU does something else.',
    forms: ['NICs'],
  },
  nicWork: {
    term: 'NIC work',
    meaning:
      'CPU time of the device’s own code for what an RDMA NIC does in silicon: headers, checksums, acknowledgments, copies. Its socket calls count as kernel.',
  },
  kernelOutside: {
    term: 'Outside',
    meaning:
      'CPU time that the kernels of both machines spent outside of every process: soft interrupts and kernel threads, where rxe does much of its work. Whole machine, whichever process caused it.',
  },
  p999: { term: 'p99.9', meaning: 'One operation in a thousand took longer than this.' },
  samples: {
    term: 'n',
    meaning:
      'How many latencies were measured, for example one for each completion of a signaled work request or each acknowledged TCP message. A percentile is shown only if at least 10 of them lie beyond it, the median only if at least 2 lie on either side.',
  },
  startup: {
    term: 'Warm-up',
    meaning:
      'The start of each round is shaded and left out of the figures, because it measures connecting and warming up.',
  },
  bth: {
    term: 'BTH',
    meaning:
      'Base transport header: 12 bytes of every packet, with its opcode, the QP that it goes to, and its PSN.',
  },
  aeth: {
    term: 'AETH',
    meaning:
      'ACK extended transport header: 4 bytes of ACKs, and of READ responses other than Middle. It says ACK or NAK, and holds the MSN.',
  },
  ackReq: {
    term: 'AckReq',
    meaning: 'Acknowledge request: a bit of the BTH that asks the responder for an ACK.',
  },
  qkey: {
    term: 'Q_Key',
    meaning: 'Queue key: a datagram carries it, and a UD QP drops datagrams with another one than its own.',
    forms: ['Q_Keys'],
  },
  lrh: { term: 'LRH', meaning: 'Local route header of InfiniBand: the addresses within a subnet.' },
  vcrc: { term: 'VCRC', meaning: 'Variant CRC of InfiniBand: each link checks and replaces it.' },
  pfc: {
    term: 'PFC',
    meaning:
      'Priority flow control: a switch that runs out of room stops one of eight priorities of its neighbor, by a PAUSE frame.',
    forms: ['PAUSE frames', 'PAUSEs', 'PAUSE'],
  },
  ecn: {
    term: 'ECN',
    meaning:
      'Explicit congestion notification: a switch marks packets when its queue grows, before it has to drop any.',
  },
  fecn: {
    term: 'FECN',
    meaning:
      'Forward explicit congestion notification, a bit of the BTH. BECN (backward) is its neighbor: congestion seen the other way. In RoCEv2, switches mark the IP header instead, and CNPs set BECN.',
    forms: ['BECN'],
  },
  cnp: {
    term: 'CNP',
    meaning:
      'Congestion notification packet: with it, the receiver of a marked packet tells the sender to slow down.',
    forms: ['CNPs'],
  },
  dcqcn: {
    term: 'DCQCN',
    meaning:
      'Congestion control of RoCE NICs: one sends slower on a QP after each CNP, and then faster again step by step.',
  },
  deth: {
    term: 'DETH',
    meaning: 'Datagram extended transport header: the Q_Key, and the QP that sent the datagram.',
  },
  embedded: {
    term: 'embedded device',
    meaning:
      'The RDMA device that comes with Verbs Lab, uroce0: software in each process, where the CPU does the work of a NIC.',
    forms: ['uroce0'],
  },
  msn: {
    term: 'MSN',
    meaning:
      'Message sequence number: 24 bits in an ACK that count the messages that the responder has completed.',
    forms: ['MSNs'],
  },
  icrc: {
    term: 'ICRC',
    meaning:
      'Invariant CRC: 4 bytes at the end of each packet over all fields that must not change in transit.',
  },
  oneSided: {
    term: 'one-sided',
    meaning: 'The target’s application takes no part: it posts nothing and sees no CQE.',
  },
  clockOffset: {
    term: 'Clock offset',
    meaning:
      'How far the other machine’s clock is ahead of this one’s, measured by exchanging messages. The true value lies within the ± bound.',
  },
  joinString: {
    term: 'Join string',
    meaning: 'A single word with the other agent’s address, token and certificate fingerprint.',
  },
  udp: {
    term: 'UDP',
    meaning:
      'User Datagram Protocol. RoCEv2 packets are UDP datagrams. The embedded device sends them through the kernel’s sockets, unless its link is shared memory.',
  },
  providerClass: {
    term: 'Provider class',
    meaning:
      'Where the transport work is done: in hardware (a NIC), kernel software (rxe, siw), user-space software, or the simulator. User-space packets go through the kernel (UDP sockets) or bypass it (shared memory).',
  },
} as const satisfies Record<string, { term: string; meaning: string; forms?: readonly string[] }>;

export type TermId = keyof typeof TERMS;
