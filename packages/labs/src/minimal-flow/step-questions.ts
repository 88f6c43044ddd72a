/** A question before each step, with what a run records if an answer is right. */
import type { StepQuestion } from '@verbslab/protocol';

export const STEP_QUESTIONS = {
  device: {
    text: 'By which address will the peer reach this port?',
    options: [
      { id: 'mac', text: 'Its MAC address' },
      {
        id: 'gid',
        text: 'A GID, which holds an IP address',
        when: [{ count: 'calls', of: 'ibv_query_gid', min: 1 }],
      },
      { id: 'lid', text: 'A LID, as on InfiniBand' },
    ],
    why: 'RoCE v2 runs over UDP and IP, so the program reads the port’s GID table.',
  },
  memory: {
    text: 'The client will write into the server’s memory. Which side grants remote access?',
    options: [
      {
        id: 'server',
        text: 'The server alone',
        when: [
          { count: 'calls', at: 'server', of: 'ibv_reg_mr', with: 'REMOTE_WRITE', min: 1 },
          { count: 'calls', at: 'client', of: 'ibv_reg_mr', with: 'REMOTE_WRITE', max: 0 },
        ],
      },
      {
        id: 'both',
        text: 'Both sides',
        when: [
          { count: 'calls', at: 'server', of: 'ibv_reg_mr', with: 'REMOTE_WRITE', min: 1 },
          { count: 'calls', at: 'client', of: 'ibv_reg_mr', with: 'REMOTE_WRITE', min: 1 },
        ],
      },
      {
        id: 'neither',
        text: 'Neither: a local right is enough',
        when: [
          { count: 'calls', of: 'ibv_reg_mr', min: 1 },
          { count: 'calls', of: 'ibv_reg_mr', with: 'REMOTE_WRITE', max: 0 },
        ],
      },
    ],
    why: 'Only memory that a peer reaches needs a remote right. The client’s own device reads its source.',
  },
  queues: {
    text: 'A QP has a send queue and a receive queue. How many CQs does the client create for them?',
    options: [
      {
        id: 'one',
        text: 'One for both',
        when: [{ count: 'calls', at: 'client', of: 'ibv_create_cq', min: 1, max: 1 }],
      },
      {
        id: 'two',
        text: 'One for each',
        when: [{ count: 'calls', at: 'client', of: 'ibv_create_cq', min: 2 }],
      },
      {
        id: 'none',
        text: 'None: a QP brings its own',
        when: [
          { count: 'calls', at: 'client', of: 'ibv_create_qp', min: 1 },
          { count: 'calls', at: 'client', of: 'ibv_create_cq', max: 0 },
        ],
      },
    ],
    why: 'The program names a CQ for each queue. They may be the same one, and other QPs may share it.',
  },
  exchange: {
    text: 'How does the client learn the server’s QPN, address and rkey?',
    options: [
      {
        id: 'out-of-band',
        text: 'The programs pass them on, outside of RDMA',
        when: [
          { count: 'exchanges', at: 'server', min: 1 },
          { count: 'packets', max: 0 },
        ],
      },
      {
        id: 'packets',
        text: 'The devices exchange them in RDMA packets',
        when: [{ count: 'packets', min: 1 }],
      },
      {
        id: 'lookup',
        text: 'Its device looks them up by the GID',
      },
    ],
    why: 'A socket, a file or the connection manager carries these numbers.',
  },
  init: {
    text: 'What must a program know of its peer to move its QP to INIT?',
    options: [
      {
        id: 'nothing',
        text: 'Nothing',
        when: [
          { count: 'calls', of: 'ibv_modify_qp', min: 1 },
          { count: 'calls', of: 'ibv_modify_qp', with: 'dest_qp_num', max: 0 },
        ],
      },
      {
        id: 'qpn',
        text: 'Its QPN',
        when: [
          { count: 'calls', of: 'ibv_modify_qp', with: 'dest_qp_num', min: 1 },
          { count: 'calls', of: 'ibv_modify_qp', with: 'dgid', max: 0 },
        ],
      },
      {
        id: 'both',
        text: 'Its QPN and its GID',
        when: [{ count: 'calls', of: 'ibv_modify_qp', with: 'dgid', min: 1 }],
      },
    ],
    why: 'INIT binds the QP to a local port and sets what the peer may do. The peer’s address comes with RTR.',
  },
  rtr: {
    text: 'Both QPs now learn who their peer is. How many packets tell the other side?',
    options: [
      {
        id: 'none',
        text: 'None',
        when: [
          { count: 'calls', of: 'ibv_modify_qp', min: 2 },
          { count: 'packets', max: 0 },
        ],
      },
      { id: 'two', text: 'One from each side', when: [{ count: 'packets', min: 1, max: 2 }] },
      { id: 'three', text: 'Three, like TCP’s handshake', when: [{ count: 'packets', min: 3 }] },
    ],
    why: 'ibv_modify_qp changes state at one end alone. There is no handshake.',
  },
  rts: {
    text: 'Which attributes does a QP need only for sending?',
    options: [
      {
        id: 'gid',
        text: 'The peer’s GID and QPN',
        when: [{ count: 'calls', of: 'ibv_modify_qp', with: 'dest_qp_num', min: 1 }],
      },
      {
        id: 'mtu',
        text: 'The path MTU',
        when: [{ count: 'calls', of: 'ibv_modify_qp', with: 'path_mtu', min: 1 }],
      },
      {
        id: 'retry',
        text: 'Its first PSN, ACK timeout and retry counts',
        when: [
          { count: 'calls', of: 'ibv_modify_qp', with: 'sq_psn', min: 1 },
          { count: 'calls', of: 'ibv_modify_qp', with: 'retry_cnt', min: 1 },
        ],
      },
    ],
    why: 'A receiver has nothing to number or to retransmit. The rest was set in RTR.',
  },
  write: {
    text: 'In how many packets does the client’s device send this message?',
    options: [
      { id: 'one', text: 'In one', when: [{ count: 'packets', at: 'client', of: 'WRITE', min: 1, max: 1 }] },
      {
        id: 'several',
        text: 'In several: it splits the message at the path MTU',
        when: [{ count: 'packets', at: 'client', of: 'WRITE', min: 2 }],
      },
      {
        id: 'none',
        text: 'In none until the server posts a RECV',
        when: [
          { count: 'calls', at: 'client', of: 'ibv_post_send', min: 1 },
          { count: 'packets', at: 'client', of: 'WRITE', max: 0 },
        ],
      },
    ],
    why: 'A packet carries at most one path MTU of the message, and a WRITE needs no RECV.',
  },
  look: {
    text: 'What will the server’s CQ show when its program polls?',
    options: [
      {
        id: 'completion',
        text: 'One completion for the received bytes',
        when: [{ count: 'completions', at: 'server', min: 1 }],
      },
      {
        id: 'nothing',
        text: 'Nothing',
        when: [
          { count: 'calls', at: 'server', of: 'ibv_poll_cq', min: 1 },
          { count: 'completions', at: 'server', max: 0 },
        ],
      },
      { id: 'event', text: 'An event of the device', when: [{ count: 'async', at: 'server', min: 1 }] },
    ],
    why: 'A WRITE completes at the client. The server’s device placed the bytes without its program.',
  },
  read: {
    text: 'What will the server’s device send back for a READ?',
    options: [
      {
        id: 'ack-data',
        text: 'An ACK, then the data',
        when: [
          { count: 'packets', at: 'server', of: 'READ response', min: 1 },
          { count: 'packets', at: 'server', of: 'ACK', min: 1 },
        ],
      },
      {
        id: 'data',
        text: 'The data, and no separate ACK',
        when: [
          { count: 'packets', at: 'server', of: 'READ response', min: 1 },
          { count: 'packets', at: 'server', of: 'ACK', max: 0 },
        ],
      },
      {
        id: 'nothing',
        text: 'Nothing until its program posts a SEND',
        when: [
          { count: 'packets', at: 'client', of: 'READ request', min: 1 },
          { count: 'packets', at: 'server', max: 0 },
        ],
      },
    ],
    why: 'The responses acknowledge the request.',
  },
  verify: {
    text: 'How many completions will both programs have polled in all?',
    options: [
      {
        id: 'four',
        text: 'Four: one for each request at each side',
        when: [{ count: 'completions', soFar: true, min: 3 }],
      },
      {
        id: 'two',
        text: 'Two: one for each request, at the client',
        when: [
          { count: 'completions', at: 'client', soFar: true, min: 2, max: 2 },
          { count: 'completions', at: 'server', soFar: true, max: 0 },
        ],
      },
      {
        id: 'one',
        text: 'One: for the last request',
        when: [{ count: 'completions', soFar: true, min: 1, max: 1 }],
      },
    ],
    why: 'Each signaled request completes once, at the side that posted it.',
  },
  teardown: {
    text: 'How will the server’s device learn that the client destroys its QP?',
    options: [
      { id: 'packet', text: 'By a packet, like TCP’s FIN', when: [{ count: 'packets', min: 1 }] },
      {
        id: 'never',
        text: 'It will not',
        when: [
          { count: 'calls', at: 'client', of: 'ibv_destroy_qp', min: 1 },
          { count: 'packets', max: 0 },
          { count: 'async', max: 0 },
        ],
      },
      { id: 'event', text: 'By an asynchronous event', when: [{ count: 'async', at: 'server', min: 1 }] },
    ],
    why: 'Destroying a QP is local. Programs, or the connection manager, agree on the end before.',
  },
} satisfies Record<string, StepQuestion>;
