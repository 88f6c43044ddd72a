// Errors of requests for labs, parameters, devices, runs and captures.
import type { ErrorTable } from './entry.js';

export const requests = {
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
    cure: 'Choose one of: {known}.',
  },
  BAD_PARAM: {
    http: 400,
    usage: true,
    message: 'The parameter “{param}” is invalid: {detail}.',
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
  NO_DEVICE_LIST: {
    http: 503,
    message: 'The process that lists the RDMA devices of this machine failed: {how}.',
    cure: '{hint}',
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
    cure: 'Run `sudo setcap cap_net_raw+ep {program}` once, and again after each build, then open the device again.',
  },
  CAPTURE_FAILED: {
    http: 500,
    message: 'Packets of {interface} cannot be captured: {detail}.',
    cure: 'Check with `verbslab doctor` and `ip link`.',
  },
  CAPTURE_BYPASSED: {
    http: 409,
    message: 'Packets cannot be captured: those of {device} bypass the kernel.',
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
  RUN_UNREADABLE: {
    http: 500,
    message: 'The record of run {run} cannot be read: {detail}.',
    cure: 'Another version of Verbs Lab may have written it: open it with that one, or delete it.',
  },
  RUN_STATE: {
    http: 409,
    message: 'The run is {state}, but this needs a run that is {needed}.',
    cure: 'If it has ended, start a new one; else wait.',
  },
  NO_FAULTS: {
    http: 409,
    message: 'Faults cannot be injected into this run: {why}.',
    cure: 'Run a lab or a program on the embedded device. Packets of rxe are lost with `sudo tc qdisc replace dev INTERFACE root netem loss 1%`.',
  },
  FAULTS_REFUSED: {
    http: 409,
    message: 'The faults were not injected: {why}.',
    cure: 'Try again while a process of the run has the device open. A process that a signal or a debugger has stopped does not answer.',
  },
  UNKNOWN_SWEEP: {
    http: 404,
    message: 'There is no sweep “{sweep}”.',
    cure: 'See the list with `verbslab sweeps`.',
  },
  SWEEP_UNREADABLE: {
    http: 500,
    message: 'Sweep {number} cannot be read: {reason}.',
    cure: 'Open the history with the version of Verbs Lab that wrote it. Its runs are in the list of runs.',
  },
  SWEEP_STATE: {
    http: 409,
    message: 'The sweep is {state}, but this needs a sweep that is {needed}.',
    cure: 'See its state with `verbslab sweeps`, or start a new one.',
  },
  UNKNOWN_NOTE: {
    http: 404,
    message: 'This run has no note “{note}”.',
    cure: 'It may have been deleted elsewhere. Copy your text, then write it as a new note.',
  },
  NOTE_CONFLICT: {
    http: 409,
    message: 'The note was changed elsewhere after you had opened it.',
    cure: 'Compare both texts, then save the one that you want to keep.',
  },
  BAD_TAG: {
    http: 400,
    usage: true,
    message: '“{tag}” cannot be a tag: {rule}.',
    cure: 'Choose another name.',
  },
  RUN_BUSY: {
    http: 409,
    message: '{what} keeps the host “{host}” busy, and two at once would disturb each other’s figures.',
    cure: '{hint}',
  },
  NOT_FED: {
    http: 403,
    message: 'This connection has no program or simulation in progress in the run “{run}”.',
    cure: 'Send data only on the connection that sent `program.start`, `program.join` or `simulation.start`.',
  },
  PROGRAM_FAILED: {
    http: 500,
    message: '“{program}” ended with exit code {code}.',
    cure: 'Read what it printed. Failed calls and completions, if any, are listed below.',
  },
  PROGRAM_KILLED: {
    http: 500,
    message: '“{program}” was killed by {signal}.',
    cure: '{hint}',
  },
  PROGRAM_LOST: {
    http: 500,
    message:
      '`verbslab exec` ended or lost its connection before “{program}” ended, so the program’s exit status is unknown.',
    cure: 'Everything recorded until then is kept; run the program again for a full record.',
  },
  UNKNOWN_FORMAT: {
    http: 404,
    usage: true,
    message: 'Runs cannot be exported as “{format}”.',
    cure: 'Choose one of: {known}.',
  },
  NO_CAPTURE: {
    http: 404,
    message: 'This run has no packet capture.',
    cure: 'Not every lab captures packets. Those that do can on the embedded device (uroce0). The page of the run has everything that was recorded.',
  },
  USAGE: { http: 400, usage: true, message: '{detail}.', cure: '{hint}' },
  PORT_TAKEN: {
    http: 500,
    message: 'Port {port} on {host} is in use by another program.',
    cure: 'Stop that program or choose another port with --port.',
  },
  AGENT_RUNNING: {
    http: 409,
    message: 'An agent is already running for this user on port {port} (process {pid}).',
    cure: 'Use it, stop it, or set VERBSLAB_HOME to another folder.',
  },
  EXPORT_CUT: {
    http: 500,
    message: 'The export of run {run} broke off before its end, so what was written is not whole.',
    cure: 'Repeat the command. If it breaks off again, the log of the agent says why.',
  },
  AGENT_UNREACHABLE: {
    http: 503,
    message: 'The agent at {url} does not answer: {detail}.',
    cure: 'Stop it if it hangs, then start it with `verbslab up`.',
  },
  UNREADABLE_FILE: {
    http: 400,
    usage: true,
    message: 'The file {path} cannot be read: {detail}.',
    cure: 'Give the name of a pcap or pcapng file.',
  },
  BAD_FILTER: {
    http: 400,
    usage: true,
    message: 'The filter is invalid at character {at}: {detail}',
    cure: '{hint}',
  },
  UNKNOWN_SCENARIO: {
    http: 404,
    usage: true,
    message: 'There is no scenario “{scenario}”.',
    cure: 'Known are {known}. A file has a dot or a slash in its name.',
  },
  SCENARIO_REFUSED: {
    http: 400,
    usage: true,
    message: 'The scenario cannot run: {detail}.',
    cure: 'docs/simulator.md lists all members of a scenario. `verbslab sim incast --show` prints one.',
  },
  SIMULATION_ENDED: {
    http: 400,
    message: 'The simulation could not go on after {us} µs: {detail}',
    cure: 'What it did until then is in its result.',
  },
  SIMULATION_BROKEN: {
    http: 500,
    message: 'The simulator broke a law of its own, so its figures are void: {detail}',
    cure: 'This is a fault of the simulator. Please report it with the scenario and its seed.',
  },
  SIMULATION_LOST: {
    http: 500,
    message:
      '`verbslab sim` ended or lost its connection before the simulation ended, so there is no result.',
    cure: 'What was reported until then is kept. Run it again for the result.',
  },
  NO_SCENARIO: {
    http: 404,
    usage: true,
    message: 'Run {number} has no scenario to run: {detail}.',
    cure: '{hint}',
  },
  UNKNOWN_EXERCISE: {
    http: 404,
    usage: true,
    message: 'There is no exercise “{exercise}”.',
    cure: 'List them with `verbslab exercises`.',
  },
  BAD_WORKSHEET: {
    http: 400,
    usage: true,
    message: 'The worksheet cannot be read: {detail}',
    cure: 'Choose a file that was saved on the page Exercises, or written by `verbslab exercises --json`.',
  },
  UNKNOWN_ERROR_TEXT: {
    http: 400,
    usage: true,
    message: 'No known message contains “{text}”.',
    cure: 'Give the words of the error without names and numbers, or see docs/setup.md for all known messages.',
  },
  NO_PROGRAM: {
    http: 404,
    usage: true,
    message: 'There is no program “{program}”.',
    cure: 'Give its path, or install it.',
  },
  UNKNOWN_TOOL: {
    http: 404,
    usage: true,
    message: 'There is no tool “{tool}”.',
    cure: 'Choose one of: {known}.',
  },
  UNKNOWN_FIELD: {
    http: 400,
    usage: true,
    message: 'The tool “{tool}” has no field “{field}”.',
    cure: 'Choose one of: {known}.',
  },
  UNUSED_OPTION: {
    http: 400,
    usage: true,
    message: 'The option {option} changes nothing here: the program would not get it.',
    cure: 'Leave it out{needed}.',
  },
  TOOL_MISSING: {
    http: 503,
    message: '{program} is not installed on the agent’s host.',
    cure: 'Install it there: {command}',
  },
  TOOL_PORT: {
    http: 409,
    message: 'Port {port} is in use, so {program} cannot listen on it.',
    cure: 'Stop the other program, or choose another port.',
  },
  TOOL_NOT_READY: {
    http: 500,
    message: '{program} did not listen within {seconds} s, so the other end was not started.',
    cure: 'Its output says why.',
  },
  TOOL_TIME: {
    http: 504,
    message: 'The programs did not end within {seconds} s, so the agent ended them.',
    cure: 'Ask for fewer or smaller messages, or for fewer connections.',
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
} as const satisfies ErrorTable;
