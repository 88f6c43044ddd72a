/** Names of libibverbs that the tasks need, with the declarations of infiniband/verbs.h (rdma-core 44). */

export interface CName {
  name: string;
  kind: 'function' | 'constant' | 'type';
  signature: string;
  docs: string;
}

/** Declaration and what it does. */
const FUNCTIONS: readonly (readonly [string, string])[] = [
  [
    'struct ibv_device **ibv_get_device_list(int *num_devices)',
    'The devices of this host, as an array that ends with NULL. Free it with ibv_free_device_list.',
  ],
  ['void ibv_free_device_list(struct ibv_device **list)', 'Frees the array, not devices that are open.'],
  ['const char *ibv_get_device_name(struct ibv_device *device)', 'Name of a device, such as "uroce0".'],
  ['struct ibv_context *ibv_open_device(struct ibv_device *device)', 'Opens a device; NULL if it fails.'],
  ['int ibv_close_device(struct ibv_context *context)', 'Close what was made on the device before.'],
  [
    'int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *device_attr)',
    'Limits of the device.',
  ],
  [
    'int ibv_query_port(struct ibv_context *context, uint8_t port_num, struct ibv_port_attr *port_attr)',
    'State, MTU and GID table size of a port. Ports count from 1.',
  ],
  [
    'int ibv_query_gid(struct ibv_context *context, uint8_t port_num, int index, union ibv_gid *gid)',
    'One entry of the GID table. Entry 0 is often not the one that RoCEv2 needs.',
  ],
  [
    'int ibv_query_gid_ex(struct ibv_context *context, uint32_t port_num, uint32_t gid_index, struct ibv_gid_entry *entry, uint32_t flags)',
    'One entry of the GID table with its type, e.g. IBV_GID_TYPE_ROCE_V2.',
  ],
  ['struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)', 'Makes a protection domain.'],
  ['int ibv_dealloc_pd(struct ibv_pd *pd)', 'EBUSY while it has MRs, QPs or other objects.'],
  [
    'struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)',
    'Registers memory. access: 0 or IBV_ACCESS_ flags; remote write and atomics need LOCAL_WRITE as well.',
  ],
  ['int ibv_dereg_mr(struct ibv_mr *mr)', 'The memory itself stays yours to free.'],
  [
    'struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)',
    'Makes a channel for completion events.',
  ],
  ['int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)', 'EBUSY while CQs use it.'],
  [
    'struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel, int comp_vector)',
    'Makes a completion queue with at least cqe entries.',
  ],
  ['int ibv_destroy_cq(struct ibv_cq *cq)', 'EBUSY while QPs use it.'],
  [
    'int ibv_poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)',
    'Takes up to num_entries completions: how many there were, 0 if none, negative if it fails.',
  ],
  [
    'int ibv_req_notify_cq(struct ibv_cq *cq, int solicited_only)',
    'Asks for one event at the next completion. Poll once more afterwards.',
  ],
  [
    'int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)',
    'Waits for an event. Acknowledge it with ibv_ack_cq_events.',
  ],
  ['void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)', 'Needed before ibv_destroy_cq.'],
  [
    'struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *qp_init_attr)',
    'Makes a queue pair in state RESET.',
  ],
  [
    'int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)',
    'RESET → INIT → RTR → RTS. attr_mask must name what the step needs, and nothing that it does not take. EINVAL otherwise.',
  ],
  [
    'int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask, struct ibv_qp_init_attr *init_attr)',
    'Attributes and state of a QP.',
  ],
  ['int ibv_destroy_qp(struct ibv_qp *qp)', 'Before its CQs and its PD.'],
  [
    'int ibv_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)',
    'Posts a list of send work requests. The QP must be in RTS.',
  ],
  [
    'int ibv_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)',
    'Posts a list of receives. Possible from INIT on: do so before the peer sends.',
  ],
  [
    'struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)',
    'Makes an address handle, for UD.',
  ],
  ['int ibv_destroy_ah(struct ibv_ah *ah)', 'Frees an address handle.'],
  ['const char *ibv_wc_status_str(enum ibv_wc_status status)', 'A completion status in words.'],
  [
    'int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)',
    'Waits for an asynchronous event.',
  ],
  ['void ibv_ack_async_event(struct ibv_async_event *event)', 'Acknowledges an asynchronous event.'],
];

/** Name of the enum, what it is for, its values. */
const ENUMS: readonly (readonly [string, string, string])[] = [
  [
    'enum ibv_access_flags',
    'What may be done with a memory region or a QP.',
    'IBV_ACCESS_LOCAL_WRITE IBV_ACCESS_REMOTE_WRITE IBV_ACCESS_REMOTE_READ IBV_ACCESS_REMOTE_ATOMIC IBV_ACCESS_MW_BIND IBV_ACCESS_RELAXED_ORDERING',
  ],
  [
    'enum ibv_wr_opcode',
    'What a send work request does.',
    'IBV_WR_SEND IBV_WR_SEND_WITH_IMM IBV_WR_RDMA_WRITE IBV_WR_RDMA_WRITE_WITH_IMM IBV_WR_RDMA_READ IBV_WR_ATOMIC_CMP_AND_SWP IBV_WR_ATOMIC_FETCH_AND_ADD IBV_WR_SEND_WITH_INV',
  ],
  [
    'enum ibv_send_flags',
    'Without IBV_SEND_SIGNALED, a request completes without a completion unless the QP signals all.',
    'IBV_SEND_SIGNALED IBV_SEND_FENCE IBV_SEND_SOLICITED IBV_SEND_INLINE',
  ],
  [
    'enum ibv_qp_attr_mask',
    'Which attributes ibv_modify_qp takes from its struct.',
    'IBV_QP_STATE IBV_QP_ACCESS_FLAGS IBV_QP_PKEY_INDEX IBV_QP_PORT IBV_QP_QKEY IBV_QP_AV IBV_QP_PATH_MTU IBV_QP_TIMEOUT IBV_QP_RETRY_CNT IBV_QP_RNR_RETRY IBV_QP_RQ_PSN IBV_QP_MAX_QP_RD_ATOMIC IBV_QP_MIN_RNR_TIMER IBV_QP_SQ_PSN IBV_QP_MAX_DEST_RD_ATOMIC IBV_QP_DEST_QPN',
  ],
  [
    'enum ibv_qp_state',
    'State of a queue pair.',
    'IBV_QPS_RESET IBV_QPS_INIT IBV_QPS_RTR IBV_QPS_RTS IBV_QPS_SQD IBV_QPS_SQE IBV_QPS_ERR',
  ],
  ['enum ibv_qp_type', 'Transport service.', 'IBV_QPT_RC IBV_QPT_UC IBV_QPT_UD'],
  ['enum ibv_mtu', 'Path MTU.', 'IBV_MTU_256 IBV_MTU_512 IBV_MTU_1024 IBV_MTU_2048 IBV_MTU_4096'],
  [
    'enum ibv_wc_status',
    'How a work request ended.',
    'IBV_WC_SUCCESS IBV_WC_LOC_LEN_ERR IBV_WC_LOC_QP_OP_ERR IBV_WC_LOC_PROT_ERR IBV_WC_WR_FLUSH_ERR IBV_WC_REM_INV_REQ_ERR IBV_WC_REM_ACCESS_ERR IBV_WC_REM_OP_ERR IBV_WC_RETRY_EXC_ERR IBV_WC_RNR_RETRY_EXC_ERR',
  ],
  [
    'enum ibv_wc_opcode',
    'What completed.',
    'IBV_WC_SEND IBV_WC_RDMA_WRITE IBV_WC_RDMA_READ IBV_WC_COMP_SWAP IBV_WC_FETCH_ADD IBV_WC_RECV IBV_WC_RECV_RDMA_WITH_IMM',
  ],
  ['enum ibv_wc_flags', 'What a completion carries.', 'IBV_WC_GRH IBV_WC_WITH_IMM'],
  [
    'enum ibv_gid_type',
    'Type of an entry of the GID table.',
    'IBV_GID_TYPE_IB IBV_GID_TYPE_ROCE_V1 IBV_GID_TYPE_ROCE_V2',
  ],
];

const TYPES =
  'ibv_device ibv_context ibv_pd ibv_mr ibv_cq ibv_qp ibv_ah ibv_comp_channel ibv_device_attr ibv_port_attr ibv_gid_entry ibv_qp_init_attr ibv_qp_attr ibv_sge ibv_send_wr ibv_recv_wr ibv_wc';

export const C_NAMES: readonly CName[] = [
  ...FUNCTIONS.map(([signature, docs]): CName => {
    const name = /(\w+)\(/.exec(signature)![1]!;
    return { name, kind: 'function', signature: `${signature};`, docs };
  }),
  ...ENUMS.flatMap(([signature, docs, names]) =>
    names.split(' ').map((name): CName => ({ name, kind: 'constant', signature, docs })),
  ),
  ...TYPES.split(' ').map((name): CName => ({ name, kind: 'type', signature: `struct ${name}`, docs: '' })),
];
