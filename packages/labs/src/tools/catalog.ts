/** The programs of the distribution that can be run from the page and by `verbslab tools`: a fixed list. */
import { mckey, rdmaServer, rping, ucmatose, udaddy } from './connection.js';
import { ibvAsyncwatch, ibvDevices, ibvDevinfo } from './devices.js';
import { rdma } from './kernel.js';
import { perftest } from './perftest.js';
import { ibvRcPingpong, ibvUcPingpong, ibvUdPingpong } from './pingpong.js';
import type { Tool, ToolPackage } from './tool.js';

export { unusedField, type Unused } from './unused.js';

export interface ToolGroup {
  id: string;
  title: string;
  /** Common purpose of the programs, in one sentence. */
  text: string;
  tools: readonly Tool[];
}

export const TOOL_GROUPS: readonly ToolGroup[] = [
  {
    id: 'device',
    title: 'The device',
    text: 'What there is, what it can do, and what it says by itself.',
    tools: [ibvDevices, ibvDevinfo, ibvAsyncwatch, rdma],
  },
  {
    id: 'pingpong',
    title: 'Ping-pong',
    text: 'The same exchange over each transport: the first programs to read after the manual.',
    tools: [ibvRcPingpong, ibvUcPingpong, ibvUdPingpong],
  },
  {
    id: 'connection',
    title: 'Connection manager',
    text: 'Programs that meet by IP address and port, as sockets do, or in a multicast group.',
    tools: [rdmaServer, rping, ucmatose, udaddy, mckey],
  },
  {
    id: 'perftest',
    title: 'perftest',
    text: 'The usual figures of a link: bandwidth and latency of WRITE, READ and SEND.',
    tools: perftest,
  },
];

export const TOOLS: readonly Tool[] = TOOL_GROUPS.flatMap(({ tools }) => tools);

/** Finds a tool by its name, or by the name of any of its programs. */
export const findTool = (name: string): Tool | undefined =>
  TOOLS.find((tool) => tool.name === name) ?? TOOLS.find(({ programs }) => programs.includes(name));

/** The command that installs a package of the distribution. */
export const installCommand = (of: ToolPackage): string => `sudo apt install ${of}`;

export {
  TOOL_PACKAGES,
  type Tool,
  type ToolCommand,
  type ToolPackage,
  type ToolPlace,
  type ToolReady,
} from './tool.js';
export { isSafeWord } from './words.js';
