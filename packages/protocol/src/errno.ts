/**
 * System and device errors: errno values of verbs and socket calls, and work completion statuses. Names and numbers are
 * those of errno(3) on Linux and of `enum ibv_wc_status` (ibv_poll_cq(3)). Meanings and cures are written for a lab.
 */

export interface ErrnoEntry {
  readonly errno: number;
  readonly name: string;
  /** The system's description. */
  readonly meaning: string;
  /** Usual meaning for an RDMA program, and the cure. */
  readonly cure: string;
}

const errno = (number: number, name: string, meaning: string, cure: string): ErrnoEntry => ({
  errno: number,
  name,
  meaning,
  cure,
});

export const ERRNO: readonly ErrnoEntry[] = [
  errno(1, 'EPERM', 'the operation is not permitted', 'Use a device or port that your user may open.'),
  errno(2, 'ENOENT', 'it does not exist', 'Check the name; it may have been closed already.'),
  errno(4, 'EINTR', 'the call was interrupted', 'Try again.'),
  errno(5, 'EIO', 'the device reported an input/output error', 'Close the device and open it again.'),
  errno(7, 'E2BIG', 'there are too many entries', 'Use fewer entries in one call.'),
  errno(9, 'EBADF', 'the object or file descriptor is closed', 'Open it again before you use it.'),
  errno(11, 'EAGAIN', 'nothing is available yet', 'Try again after the next event.'),
  errno(
    12,
    'ENOMEM',
    'memory, queue space, the locked-memory limit or a limit of the device is used up',
    'Use a smaller buffer or a deeper queue, poll completions, or raise the limit with `ulimit -l`.',
  ),
  errno(
    13,
    'EACCES',
    'permission is denied',
    'Give the user access to /dev/infiniband, or choose another device.',
  ),
  errno(
    14,
    'EFAULT',
    'an address is outside the memory that the program may use in this way',
    'Check address and length of the buffer.',
  ),
  errno(16, 'EBUSY', 'something still uses the object', 'Destroy the objects that use it first.'),
  errno(17, 'EEXIST', 'it exists already', 'Use the one that is there, or remove it first.'),
  errno(19, 'ENODEV', 'there is no such device', 'Run `verbslab devices` to list the devices.'),
  errno(
    22,
    'EINVAL',
    'an argument is invalid, or the object is in the wrong state',
    'Check sizes against the device limits, and the attributes against the QP state.',
  ),
  errno(24, 'EMFILE', 'the process has too many open files', 'Raise the limit with `ulimit -n`.'),
  errno(28, 'ENOSPC', 'there is no space left', 'Free space, or ask for less.'),
  errno(32, 'EPIPE', 'the other side closed the connection', 'Start both sides again.'),
  errno(
    38,
    'ENOSYS',
    'the kernel or the device does not offer this call',
    'Load the RDMA driver, or choose the embedded device.',
  ),
  errno(
    61,
    'ENODATA',
    'there is no entry',
    'Nothing to do for a program that goes through a table to find its entries.',
  ),
  errno(95, 'EOPNOTSUPP', 'the device does not support this', 'Choose another operation or another device.'),
  errno(
    98,
    'EADDRINUSE',
    'the address and port are in use',
    'Another user or the kernel’s rxe may own UDP port 4791: choose another address, for example UROCE_ADDR=127.0.0.2.',
  ),
  errno(99, 'EADDRNOTAVAIL', 'this machine does not have that address', 'Choose one that `ip addr` shows.'),
  errno(101, 'ENETUNREACH', 'there is no route to the network', 'Check `ip route`.'),
  errno(104, 'ECONNRESET', 'the other side reset the connection', 'Look at the other endpoint’s log.'),
  errno(107, 'ENOTCONN', 'the connection is not up', 'Connect first.'),
  errno(
    110,
    'ETIMEDOUT',
    'the other side did not answer in time',
    'Check that it runs and that the path is up.',
  ),
  errno(111, 'ECONNREFUSED', 'nothing is listening there', 'Start the other side first.'),
  errno(113, 'EHOSTUNREACH', 'the host cannot be reached', 'Check the address and the link.'),
  errno(125, 'ECANCELED', 'the call was cancelled', 'Start it again if you still need it.'),
];

const errnoByNumber = new Map(ERRNO.map((entry) => [entry.errno, entry]));
const errnoByName = new Map(ERRNO.map((entry) => [entry.name, entry]));

/** The entry of an errno value or name; undefined if the table does not have it. */
export function lookupErrno(value: number | string): ErrnoEntry | undefined {
  return typeof value === 'number' ? errnoByNumber.get(Math.abs(value)) : errnoByName.get(value);
}

/**
 * Cures that are better than the errno's own because the call is known. Key: C function, colon, name of the errno.
 * Calls of the measuring loops have their own names (`loop …`).
 */
export const CALL_CURES: Readonly<Record<string, string>> = {
  'dlopen:ENOENT':
    'Build the embedded device with `npm run build`, or install libibverbs (Debian: libibverbs1).',
  'dlopen(librdmacm):ENOENT':
    'Install librdmacm (Debian: librdmacm1), or use the embedded device, which has a connection manager of its own.',
  'dlsym(librdmacm):ENOSYS': 'Install a librdmacm of rdma-core, or use the embedded device.',
  'rdma_connect:ECONNREFUSED': 'Start the listener first.',
  'rdma_bind_addr:EADDRINUSE': 'Choose another port, or 0 for any free one.',
  'rdma_listen:EADDRINUSE':
    'Another program listens on this port: choose another, or bind to port 0 for any free one.',
  'rdma_bind_addr:EADDRNOTAVAIL': 'Bind to an address of a device, or to 0.0.0.0 for all of them.',
  'rdma_create_qp:EINVAL':
    'Take PD and CQs from `id.context`, and keep the sizes within the limits of the device.',
  'rdma_destroy_id:EBUSY': 'Close the QP of the id first, or use `closeAll()`.',
  'rdma_destroy_event_channel:EBUSY': 'Close the ids of the channel first, or use `closeAll()`.',
  'ibv_get_device_list:ENOSYS': 'This machine has no RDMA support loaded; the embedded device needs none.',
  'ibv_open_device:EADDRINUSE':
    'Another user, the kernel’s rxe or another program may own UDP port 4791: choose another address, for example UROCE_ADDR=127.0.0.2.',
  'ibv_open_device:ENODEV':
    'UROCE_NETDEV must name a network interface of this machine: choose one that `ip link` shows.',
  'ibv_open_device:EADDRNOTAVAIL':
    'UROCE_ADDR must name an address of this machine, UROCE_NETDEV an interface with an address: see `ip addr`.',
  'ibv_open_device:EINVAL':
    'UROCE_ADDR must be a list of IPv4 or IPv6 addresses with commas between them, and UROCE_LINK udp, shm or auto. UROCE_RECOVERY, UROCE_CONGESTION, UROCE_LINE_RATE, UROCE_ACK_EVERY and UROCE_ACK_DELAY must be as docs/device.md lists them.',
  'ibv_open_device:EBUSY':
    'Another process has been opening the device for seconds and may be stopped: continue or end it.',
  'ibv_open_device:EACCES':
    'Give the user access to /dev/infiniband. The embedded device needs a folder that only the user can enter (for example /tmp/uroce-UID), and the right to write the file UROCE_PCAP.',
  'ibv_open_device:ENOENT': 'UROCE_PCAP must name a file in a folder that exists.',
  'ibv_reg_mr:ENOMEM':
    'Register less memory, raise the locked-memory limit (`ulimit -l`, limits.conf), or unset UROCE_STRICT_MEMLOCK.',
  'ibv_reg_mr:EINVAL':
    'Remote write and remote atomic rights need LOCAL_WRITE as well; kernel devices may refuse a region of 0 bytes.',
  'ibv_create_cq:EINVAL':
    'Ask for a depth from 1 to the device’s maxCqe, and a completion vector that the device has.',
  'ibv_create_qp:EINVAL':
    'Keep the sizes of both queues, the SGEs and maxInlineData within the limits of the device.',
  'ibv_create_qp:ENOMEM': 'Ask for shorter queues or fewer SGEs, or destroy QPs that are no longer needed.',
  'ibv_modify_qp:EINVAL':
    'Go RESET, INIT, RTR, RTS in this order, each with the attributes that the step needs and values that the device has (port, GID index, P_Key index, path MTU).',
  'mmap(MAP_HUGETLB):ENOMEM':
    'Reserve huge pages (`sysctl vm.nr_hugepages=…`, as root), or register without huge pages; /proc/meminfo shows how many are free.',
  'mmap(MAP_HUGETLB):EOPNOTSUPP': 'This kernel has no huge pages: register without them.',
  'ibv_rereg_mr:EBUSY':
    'A measuring loop uses the region (stop it first), or a memory window is bound to it (close or invalidate the window first).',
  'ibv_rereg_mr:EINVAL':
    'Specify what to change; remote write and remote atomic rights need LOCAL_WRITE as well.',
  'ibv_resize_cq:EINVAL':
    'Ask for a depth that holds all waiting completions and does not exceed the device’s maxCqe.',
  'ibv_bind_mw:EINVAL':
    'Use a window of type 1 and a region with MW_BIND. The range must lie in the region, and the QP must be RC or UC, in RTS.',
  'ibv_bind_mw:EPERM': 'Window, region and QP must belong to one protection domain.',
  'ibv_post_srq_recv:ENOMEM':
    'The shared receive queue is full: wait until messages have taken receives, or make it larger.',
  'ibv_destroy_srq:EBUSY': 'Close the QPs that use the shared receive queue first.',
  'ibv_modify_srq:EINVAL':
    'The limit must not exceed maxWr. maxWr must hold the queued receives and not exceed the device’s maxSrqWr.',
  'ibv_attach_mcast:EINVAL': 'Use a UD queue pair and a multicast address, for example 239.1.2.3.',
  'ibv_detach_mcast:EINVAL': 'The QP is not attached to this group.',
  'ibv_create_ah:EINVAL':
    'Give the GID of the peer’s port, and the index of one of your GIDs of the same address family.',
  'ibv_wr_complete:EOPNOTSUPP':
    'Create the QP with `extended: true`, or with a list that names the operation.',
  'ibv_wr_complete:ENOMEM':
    'The send queue is full: poll completions (ask for some with `signaled`) or make the QP deeper.',
  'ibv_post_send:ENOMEM':
    'The send queue is full: poll completions (ask for some with `signaled`) or make the QP deeper.',
  'ibv_post_recv:ENOMEM': 'The receive queue is full: poll completions or make the QP deeper.',
  'ibv_post_send:EINVAL':
    'The QP must be in RTS, and its type must support the opcode. Keep SGEs within maxSendSge and inline data within maxInlineData.',
  'ibv_post_recv:EINVAL':
    'The QP must be in INIT or later and have no SRQ, and the number of SGEs must be within its maxRecvSge.',
  'ibv_destroy_cq:EBUSY': 'Close the QPs that use the CQ first.',
  'ibv_dealloc_pd:EBUSY': 'Close the objects of the protection domain first, or use `closeAll()`.',
  'ibv_close_device:EBUSY': 'Close the objects of the context first, or use `closeAll()`.',
  'ibv_dereg_mr:EBUSY':
    'A measuring loop uses the region (stop it first), or a memory window is bound to it (close or invalidate the window first).',
  'ibv_destroy_qp:EBUSY': 'A measuring loop still uses the QP: stop it first.',
  'ibv_poll_cq:EBUSY': 'A measuring loop has exclusive use of the CQ: stop it first.',
  'uroce_tap_start:EBUSY': 'A capture is already running: stop it first.',
  'uroce_stamps_start:EBUSY': 'Stamping is already on: stop it first.',
  'loop idle:ETIMEDOUT':
    'Check that the other side runs with the same operation and size, in the other role, or raise idleTimeoutMs.',
  'loop drain:ETIMEDOUT': 'The peer stopped answering: close both QPs and connect again.',
  'connect:ECONNREFUSED': 'Start the target side first and give its port.',
  'bind:EADDRINUSE': 'Choose another port, or 0 for any free one.',
};

/** The cure of a failed call: the call's own cure, else that of its errno. */
export function cureOf(call: string, name: string): string | undefined {
  return CALL_CURES[`${call}:${name}`] ?? errnoByName.get(name)?.cure;
}

export interface WcStatusEntry {
  readonly status: number;
  /** Name without the IBV_WC_ prefix. */
  readonly name: string;
  readonly meaning: string;
  readonly cure: string;
}

const wc = (status: number, name: string, meaning: string, cure: string): WcStatusEntry => ({
  status,
  name,
  meaning,
  cure,
});

/** Completion statuses, indexed by status. */
export const WC_STATUS: readonly WcStatusEntry[] = [
  wc(0, 'SUCCESS', 'The work request completed.', ''),
  wc(
    1,
    'LOC_LEN_ERR',
    'A message did not fit: a posted receive buffer was too small, or a request was longer than the port allows.',
    'Post a larger receive buffer, or send a shorter message.',
  ),
  wc(2, 'LOC_QP_OP_ERR', 'The queue pair could not carry out the request.', 'Check opcode and QP state.'),
  wc(
    3,
    'LOC_EEC_OP_ERR',
    'The end-to-end context could not carry out the request.',
    'RD only; not used by RoCE.',
  ),
  wc(
    4,
    'LOC_PROT_ERR',
    'A local scatter/gather entry does not lie inside a memory region with the needed right.',
    'Check address, length and lkey of the SGE, LOCAL_WRITE for a receive or READ, and that region and QP share a protection domain.',
  ),
  wc(
    5,
    'WR_FLUSH_ERR',
    'The queue pair was in an error state (ERR or SQE), so the request was flushed.',
    'Look for the first completion with another status or an asynchronous event. Without one, the QP was moved to ERR.',
  ),
  wc(6, 'MW_BIND_ERR', 'A memory window could not be bound.', 'Check the region’s MW_BIND right.'),
  wc(
    7,
    'BAD_RESP_ERR',
    'The responder’s packet was not a valid response.',
    'Capture the packets and look at its opcode.',
  ),
  wc(
    8,
    'LOC_ACCESS_ERR',
    'A WRITE with immediate data of the peer was not allowed to write here.',
    'Check its rkey, address and length, and the region’s REMOTE_WRITE right.',
  ),
  wc(
    9,
    'REM_INV_REQ_ERR',
    'The responder rejected the request as invalid (NAK 0x61).',
    'Check opcode, the access rights of the peer’s QP, alignment of atomics, and the length against the receive buffer.',
  ),
  wc(
    10,
    'REM_ACCESS_ERR',
    'The responder refused access to its memory (NAK 0x62).',
    'Check rkey, remote address and length, and the region’s REMOTE_WRITE, REMOTE_READ or REMOTE_ATOMIC right.',
  ),
  wc(
    11,
    'REM_OP_ERR',
    'The responder could not carry out the request (NAK 0x63).',
    'Look at the responder’s log.',
  ),
  wc(
    12,
    'RETRY_EXC_ERR',
    'The responder did not acknowledge the request; all retries are used up.',
    'Check that the peer’s QP is in RTR or RTS with the right QPN and GID, and that the path carries packets.',
  ),
  wc(
    13,
    'RNR_RETRY_EXC_ERR',
    'The responder had no RECV posted, and all RNR retries are used up.',
    'Post RECVs earlier, or set rnr_retry to 7 (retry forever).',
  ),
  wc(14, 'LOC_RDD_VIOL_ERR', 'The reliable datagram domains differ.', 'RD only; not used by RoCE.'),
  wc(15, 'REM_INV_RD_REQ_ERR', 'The responder refused a reliable datagram.', 'RD only; not used by RoCE.'),
  wc(16, 'REM_ABORT_ERR', 'The responder aborted the operation.', 'Look at the responder’s log.'),
  wc(17, 'INV_EECN_ERR', 'The end-to-end context number is invalid.', 'RD only; not used by RoCE.'),
  wc(18, 'INV_EEC_STATE_ERR', 'The end-to-end context is in the wrong state.', 'RD only; not used by RoCE.'),
  wc(19, 'FATAL_ERR', 'The device failed.', 'Close the device and open it again.'),
  wc(20, 'RESP_TIMEOUT_ERR', 'A response did not come in time.', 'Check the peer and the path.'),
  wc(
    21,
    'GENERAL_ERR',
    'The transport failed in a way that has no status of its own.',
    'Look at the device log.',
  ),
  wc(22, 'TM_ERR', 'Tag matching failed.', 'Check the tag matching list.'),
  wc(23, 'TM_RNR_INCOMPLETE', 'A tag matching rendezvous did not finish.', 'Check the tag matching list.'),
];

/** The entry of a completion status. An unknown number gets a plain entry, never undefined. */
export function lookupWcStatus(status: number): WcStatusEntry {
  return WC_STATUS[status] ?? wc(status, `STATUS_${status}`, 'This status is not in the verbs manual.', '');
}
