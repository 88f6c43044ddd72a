import { z } from 'zod';
import { lookupErrno, lookupWcStatus } from './errno.js';

/**
 * The one table of error codes. `http` is the status of an HTTP answer; `usage` marks what the person asked
 * for wrongly (exit code 2 of the command; all others 1). `message` says what is wrong, `cure` what to do;
 * `{name}` is filled in from the error's parameters.
 */
interface ErrorEntry {
  readonly http: number;
  readonly usage?: boolean;
  readonly message: string;
  readonly cure: string;
}

const table = {
  // Who may talk
  UNAUTHENTICATED: {
    http: 401,
    message: 'This agent does not know you.',
    cure: 'Open the address with the token that `verbslab up` printed.',
  },
  BAD_HOST: {
    http: 403,
    message: 'The Host header “{host}” is not this agent’s.',
    cure: 'Use 127.0.0.1, localhost or [::1] with the agent’s port.',
  },
  BAD_ORIGIN: {
    http: 403,
    message: 'A page of another origin (“{origin}”) may not talk to this agent.',
    cure: 'Use the dashboard that this agent serves.',
  },
  NON_LOOPBACK_BIND: {
    http: 400,
    usage: true,
    message: 'The agent listens on this machine only; “{host}” would open it to the network.',
    cure: 'Leave --listen out, or add --allow-remote if you mean it.',
  },
  // What was said
  BAD_JSON: {
    http: 400,
    message: 'The message is not JSON: {detail}.',
    cure: 'Send one JSON object a frame.',
  },
  BAD_MESSAGE: {
    http: 400,
    message: 'The message does not have the documented form: {detail}.',
    cure: 'See docs/protocol.md for every message.',
  },
  BAD_FRAME: {
    http: 400,
    message: 'The binary frame does not have the documented form: {detail}.',
    cure: 'Send frames only for a run that this connection feeds; see docs/protocol.md.',
  },
  TOO_LARGE: {
    http: 413,
    message: 'The message is larger than {limit} bytes.',
    cure: 'Send less at a time.',
  },
  UNKNOWN_MESSAGE: {
    http: 400,
    message: 'There is no message of type “{type}”.',
    cure: 'See docs/protocol.md for every message.',
  },
  PROTOCOL_VERSION: {
    http: 409,
    message: 'The client speaks protocol {theirs}, this agent {ours}.',
    cure: 'Reload the page, or bring both agents to the same version.',
  },
  NOT_FOUND: {
    http: 404,
    message: 'There is nothing at {path}.',
    cure: 'Start at the address that `verbslab up` printed.',
  },
  METHOD_NOT_ALLOWED: { http: 405, message: '{method} is not possible at {path}.', cure: 'Use GET.' },
  // What was asked for
  UNKNOWN_LAB: {
    http: 404,
    usage: true,
    message: 'There is no lab “{lab}”.',
    cure: 'Choose one of: {known}.',
  },
  UNKNOWN_PARAM: {
    http: 400,
    usage: true,
    message: 'The lab “{lab}” has no parameter “{param}”.',
    cure: 'Choose among: {known}.',
  },
  BAD_PARAM: {
    http: 400,
    usage: true,
    message: 'The parameter “{param}” is not right: {detail}.',
    cure: '{hint}',
  },
  UNKNOWN_DEVICE: {
    http: 404,
    usage: true,
    message: 'There is no device “{device}”.',
    cure: 'Choose one of: {known}.',
  },
  NO_DEVICE: {
    http: 503,
    message: 'No RDMA device can be opened on this machine: {detail}',
    cure: 'Build the embedded device with `npm run build`, or load a driver.',
  },
  DEVICE_UNUSABLE: {
    http: 503,
    message: 'The device “{device}” cannot be used: {detail}',
    cure: '{hint}',
  },
  MISSING_CAPABILITY: {
    http: 409,
    usage: true,
    message: 'The lab “{lab}” needs {capability}, which {device} does not offer.',
    cure: 'Choose the embedded device.',
  },
  CAPTURE_FORBIDDEN: {
    http: 403,
    message: 'Packets cannot be captured: {program} lacks CAP_NET_RAW.',
    cure: 'Run `sudo setcap cap_net_raw+ep {program}` once, and again after each build, then open the device anew.',
  },
  CAPTURE_FAILED: {
    http: 500,
    message: 'Packets of {interface} cannot be captured: {detail}.',
    cure: 'Check with `verbslab doctor` and `ip link`.',
  },
  CAPTURE_BYPASSED: {
    http: 409,
    message: 'Packets cannot be captured: those of {device} pass the kernel by.',
    cure: 'Use a mirror port of the switch, or the NIC’s own sniffer.',
  },
  CAPTURE_NOT_ROCE: {
    http: 409,
    message: 'Packets cannot be captured: {device} does not speak RoCEv2.',
    cure: 'Use `tcpdump` on its network interface.',
  },
  UNKNOWN_RUN: {
    http: 404,
    message: 'There is no run “{run}”.',
    cure: 'It may have been deleted; see the list of runs.',
  },
  RUN_STATE: {
    http: 409,
    message: 'The run is {state}; this needs one that is {needed}.',
    cure: 'Wait for it to end, or start a new one.',
  },
  RUN_BUSY: {
    http: 409,
    message: 'Another run ({run}) is in progress, and two at once would disturb each other’s figures.',
    cure: 'Wait for it, or cancel it.',
  },
  NOT_FED: {
    http: 403,
    message: 'The run “{run}” is not fed over this connection.',
    cure: 'Only who registered a program (`program.start`) may tell of it.',
  },
  PROGRAM_FAILED: {
    http: 500,
    message: '“{program}” ended with exit code {code}.',
    cure: 'See what it printed in its terminal; failed calls and completions stand below.',
  },
  PROGRAM_KILLED: {
    http: 500,
    message: '“{program}” was ended by {signal}.',
    cure: 'See who sent the signal; on SIGSEGV or SIGABRT, run the program in a debugger.',
  },
  PROGRAM_LOST: {
    http: 500,
    message: '`verbslab exec` ended while “{program}” ran, so its end is not known.',
    cure: 'What was recorded up to then is kept; run the program again for all of it.',
  },
  NO_CAPTURE: {
    http: 404,
    message: 'This run has no packet capture.',
    cure: 'Captures need a device with a packet tap; run the lab on the embedded device.',
  },
  USAGE: { http: 400, usage: true, message: '{detail}.', cure: '{hint}' },
  PORT_TAKEN: {
    http: 500,
    message: 'Port {port} on {host} is taken by another program.',
    cure: 'Stop that program or choose another port with --port.',
  },
  AGENT_RUNNING: {
    http: 409,
    message: 'An agent is already running for this user on port {port} (process {pid}).',
    cure: 'Use it, stop it, or set VERBSLAB_HOME to another folder.',
  },
  AGENT_UNREACHABLE: {
    http: 503,
    message: 'The agent at {url} does not answer: {detail}.',
    cure: 'Start it again with `verbslab up`.',
  },
  DATA_DIRECTORY: {
    http: 500,
    message: 'The data directory {path} cannot be used: {detail}.',
    cure: 'Set VERBSLAB_HOME to a folder that you own.',
  },
  HISTORY: {
    http: 500,
    message: 'The run cannot be written down: {detail}.',
    cure: 'Free space on the disk of the data directory, then run the lab again.',
  },
  UNREADABLE_FILE: {
    http: 400,
    usage: true,
    message: 'The file {path} cannot be read: {detail}.',
    cure: 'Give the name of a pcap or pcapng file.',
  },
  UNKNOWN_ERROR_TEXT: {
    http: 400,
    usage: true,
    message: 'No known message contains “{text}”.',
    cure: 'Give the words of the error without names and numbers, or see docs/setup.md for all that are known.',
  },
  NO_PROGRAM: {
    http: 404,
    usage: true,
    message: 'There is no program “{program}”.',
    cure: 'Give its path, or install it.',
  },
  NO_EMBEDDED_DEVICE: {
    http: 503,
    message: 'The embedded device’s library is missing at {path}.',
    cure: 'Build it with `npm run build`.',
  },
  NO_DASHBOARD: {
    http: 503,
    message: 'The dashboard is not built.',
    cure: 'Run `npm start` in the repository, or `npm run build`.',
  },
  // Other agents
  BAD_JOIN_STRING: {
    http: 400,
    usage: true,
    message: 'This join string cannot be used: {detail}.',
    cure: '{hint}',
  },
  UNKNOWN_HOST: {
    http: 404,
    usage: true,
    message: 'There is no host “{host}”.',
    cure: 'Choose one of: {known}; `verbslab peers add` adds another.',
  },
  HOST_TAKEN: {
    http: 409,
    usage: true,
    message: 'There is a host “{host}” already, at {address}.',
    cure: 'Give this one another name, or remove the other first.',
  },
  PEER_ITSELF: {
    http: 409,
    usage: true,
    message: 'This join string is that of this very agent.',
    cure: 'Take the one that the other machine’s agent prints; your own devices are under “local”.',
  },
  PEER_UNREACHABLE: {
    http: 503,
    message: 'The agent at {address} does not answer: {detail}.',
    cure: 'Is it running (`verbslab agent --listen ADDRESS --allow-remote`), and does a firewall let TCP port {port} through?',
  },
  PEER_UNTRUSTED: {
    http: 502,
    message:
      'The agent at {address} is not the one that made the join string: its certificate has the fingerprint {found}, not {wanted}.',
    cure: 'If it was set up anew, remove the host and add it with a new join string; if not, somebody else answers at this address.',
  },
  PEER_REFUSED: {
    http: 502,
    message: 'The agent at {address} does not accept the token of the join string.',
    cure: 'Its token has changed: add it again with the join string that `verbslab peers invite` prints there.',
  },
  PEER_LOST: {
    http: 502,
    message: 'The agent “{host}” went away, and with it the endpoint “{endpoint}”: {detail}.',
    cure: 'See under Hosts whether it is back, then run the lab again; what was recorded up to then is kept.',
  },
  PEER_ONLY: {
    http: 403,
    message: 'Only another agent may ask for {type}.',
    cure: 'Start a run: the agent opens the endpoints that it needs.',
  },
  NETNS: {
    http: 500,
    message: 'The network namespace {netns} of the embedded device cannot be entered: {detail}.',
    cure: 'VERBSLAB_UROCE_NETNS has to name one that `ip netns` lists, and the agent needs the capability CAP_SYS_ADMIN to enter it.',
  },
  // Virtual machines
  VMS_PLATFORM: {
    http: 501,
    usage: true,
    message: 'Virtual machines are made on Linux on x86-64 only; this is {platform}.',
    cure: 'Use a machine or a cloud VM of that kind, or the embedded device.',
  },
  VMS_PACKAGES: {
    http: 503,
    message: 'The virtual machines need {what}, which this host does not have.',
    cure: 'Run: sudo apt-get install -y --no-install-recommends {packages}',
  },
  VMS_KERNEL: {
    http: 500,
    message: 'The kernel {version} cannot be used for virtual machines: {detail}.',
    cure: 'Install linux-image-amd64 (Debian) or linux-modules-extra (Ubuntu), or remove the cached kernel with `verbslab vms down --cache`.',
  },
  VMS_KERNEL_SOURCE: {
    http: 503,
    message:
      'This host has no readable kernel with rdma_rxe, and is neither Debian nor Ubuntu, whose packages would bring one.',
    cure: 'Install a kernel whose modules include rdma_rxe and make /boot/vmlinuz-VERSION readable.',
  },
  VMS_DOWNLOAD: {
    http: 502,
    message: 'The kernel package {package} cannot be downloaded: {detail}.',
    cure: 'Run `sudo apt-get update`, then try again.',
  },
  VMS_MEMORY: {
    http: 507,
    message: '{count} virtual machines need {needed} MiB of free memory; there is room for {fit}.',
    cure: 'End other programs, or start fewer with --count.',
  },
  VMS_DIFFERENT: {
    http: 409,
    usage: true,
    message: 'The virtual machines run with {what} {have}; {asked} was asked for.',
    cure: 'Run `verbslab vms down` first, or leave the option out.',
  },
  VMS_BUSY: {
    http: 409,
    message: 'Another `verbslab vms` command is changing the virtual machines.',
    cure: 'Wait until it has ended.',
  },
  VMS_STATE: {
    http: 500,
    message: 'The list of the virtual machines, {path}, cannot be read: {detail}.',
    cure: 'End processes named qemu-system-x86_64 with “verbslab-” in their arguments, then delete the folder of that file.',
  },
  VMS_NONE: {
    http: 404,
    message: 'No virtual machine is up.',
    cure: 'Start them with `verbslab vms up`.',
  },
  VMS_UNKNOWN: {
    http: 404,
    usage: true,
    message: 'There is no virtual machine “{name}”.',
    cure: 'Choose one of: {known}.',
  },
  VMS_CRASHED: {
    http: 503,
    message: 'The virtual machine “{name}” has crashed: its QEMU has ended.',
    cure: '`npx verbslab vms up` starts it again; `npx verbslab vms status` shows its last words.',
  },
  VMS_LOST: {
    http: 502,
    message: 'The virtual machine “{name}” has crashed, and with it the endpoint “{endpoint}”.',
    cure: 'Start it again with `npx verbslab vms up`, then run the lab again; what was recorded up to then is kept.',
  },
  VMS_BOOT: {
    http: 500,
    message: 'The virtual machine “{name}” did not start; at the step “{step}”: {detail}.',
    cure: 'Run it again with VERBSLAB_DEBUG=1 to see the end of its console.',
  },
  VMS_SLOW: {
    http: 504,
    message: 'The virtual machine “{name}” was not ready within {seconds} s; it is at the step “{step}”.',
    cure: 'Give it longer with --timeout, or start fewer machines.',
  },
  VMS_COMMAND: {
    http: 502,
    message: 'The command in the virtual machine “{name}” could not be run: {detail}.',
    cure: '`verbslab vms status` tells whether the machine is well.',
  },
  // What went wrong underneath
  VERBS: { http: 500, message: '{call} failed: {meaning} ({name}).', cure: '{hint}' },
  COMPLETION: {
    http: 500,
    message: 'A {opcode} completed with {name} ({status}): {meaning}',
    cure: '{hint}',
  },
  SYSTEM: { http: 500, message: '{call} failed: {meaning} ({name}).', cure: '{hint}' },
  ENDPOINT_DIED: {
    http: 500,
    message: 'The endpoint “{endpoint}” ended unexpectedly ({how}), so the run cannot go on.',
    cure: 'Run the lab again; if it happens again, the log of the run tells more.',
  },
  ENDPOINT_TIMEOUT: {
    http: 504,
    message: 'The endpoint “{endpoint}” did not answer {op} within {seconds} s.',
    cure: 'Run the lab again; the machine may be overloaded.',
  },
  BAD_HANDLE: {
    http: 400,
    message: 'The endpoint has no {what} with handle {handle}.',
    cure: 'Create it first; it may have been closed already.',
  },
  LIMIT: {
    http: 400,
    usage: true,
    message: '{what} of {value} exceeds the limit of {limit}.',
    cure: 'Ask for less.',
  },
  CANCELLED: { http: 409, message: 'The run was cancelled.', cure: 'Start it again when you like.' },
  CANCELLED_COMMAND: {
    http: 409,
    message: 'You cancelled it; what it had started is gone.',
    cure: 'Start it again when you like.',
  },
  INTERRUPTED: {
    http: 500,
    message: 'The agent ended while the run was going on.',
    cure: 'What was recorded up to then is kept; run the lab again for a full result.',
  },
  INTERNAL: {
    http: 500,
    message: 'The agent made a mistake: {detail}.',
    cure: 'Please report it with the agent’s log.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof table;

export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = table;

export const ERROR_CODES = Object.keys(table) as [ErrorCode, ...ErrorCode[]];

/** How an error travels: `message` and `cure` are whole sentences; `detail` is for “details to copy”. */
export const zErrorInfo = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  cure: z.string(),
  detail: z.string().optional(),
});
export type ErrorInfo = z.infer<typeof zErrorInfo>;

export type ErrorParams = Readonly<Record<string, string | number | boolean | undefined>>;

function fill(template: string, params: ErrorParams): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}

/** The travelling form of a code from the table. */
export function errorInfo(code: ErrorCode, params: ErrorParams = {}, detail?: string): ErrorInfo {
  const entry = ERRORS[code];
  const info: ErrorInfo = {
    code,
    message: fill(entry.message, params),
    cure: fill(entry.cure, params),
  };
  return detail === undefined ? info : { ...info, detail };
}

/** An error of the table as something to throw. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly info: ErrorInfo;

  constructor(code: ErrorCode, params: ErrorParams = {}, options: { detail?: string; cause?: unknown } = {}) {
    const info = errorInfo(code, params, options.detail);
    super(info.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.info = info;
  }

  /** Rebuilds one that travelled. */
  static from(info: ErrorInfo): AppError {
    const error = new AppError(info.code);
    error.message = info.message;
    (error as { info: ErrorInfo }).info = info;
    return error;
  }

  get code(): ErrorCode {
    return this.info.code;
  }

  /** Exit code of the command: 2 for what was asked wrongly, 1 for what failed. */
  get exitCode(): 1 | 2 {
    return ERRORS[this.info.code].usage ? 2 : 1;
  }
}

/** A failed verbs or system call, explained from the errno table. `hint` overrides the table's cure. */
export function callFailed(
  kind: 'VERBS' | 'SYSTEM',
  call: string,
  errno: number | string,
  hint?: string,
): AppError {
  const entry = lookupErrno(errno);
  const name = entry?.name ?? `errno ${errno}`;
  const meaning = entry?.meaning ?? 'the system gave no reason';
  return new AppError(kind, { call, name, meaning, hint: hint ?? entry?.cure ?? 'See the log.' });
}

/** A completion that did not succeed, explained from the status table. */
export function completionFailed(opcode: string, status: number): AppError {
  const entry = lookupWcStatus(status);
  return new AppError('COMPLETION', {
    opcode,
    status,
    name: entry.name,
    meaning: entry.meaning,
    hint: entry.cure,
  });
}

/** Any thrown value as the travelling form. What is not in the table becomes INTERNAL, with its stack as detail. */
export function toErrorInfo(error: unknown): ErrorInfo {
  if (error instanceof AppError) return error.info;
  const shaped = zErrorInfo.safeParse((error as { info?: unknown } | null)?.info);
  if (shaped.success) return shaped.data;
  if (error instanceof Error) return errorInfo('INTERNAL', { detail: error.message }, error.stack);
  return errorInfo('INTERNAL', { detail: String(error) });
}
