import { existsSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { findTool, installCommand, TOOLS, type Tool, type ToolCommand } from '@verbslab/labs/tools';
import { AppError, type ClientMessageOf, type RunRecord } from '@verbslab/protocol';
import { urocePath } from '@verbslab/native';
import { answers, type Subsystem } from '../base/subsystem.js';
import { firstExecutable, onPath } from '../config/executable.js';
import type { DeviceList } from '../devices/list.js';
import { embeddedNetns } from '../devices/netns.js';
import type { Logger } from '../base/log.js';
import type { RunManager } from '../runs/manager.js';
import { drive } from './drive.js';
import { isReady } from './ready.js';

/** Seconds that the programs of one run may take. */
export const TOOL_LIMIT_S = 60;

const LOOPBACK = '127.0.0.1';

export interface ToolsOptions {
  manager: RunManager;
  devices: DeviceList;
  /** Data folder of the agent. */
  home: string;
  logger: Logger;
  /** Default `TOOL_LIMIT_S`. */
  limit?: number;
}

const isInstalled = (program: string): boolean => firstExecutable(onPath(program)) !== null;

/** Runs programs of the distribution from the fixed list only, whatever a client asks for. */
export class Tools implements Subsystem {
  readonly messages = answers({
    'tools.list': () => ({ tools: this.list }),
    'tool.start': async (message) => ({ run: await this.start(message) }),
  });
  readonly #options: ToolsOptions;

  constructor(options: ToolsOptions) {
    this.#options = options;
  }

  get list(): { name: string; missing: string[] }[] {
    return TOOLS.map(({ name, programs }) => ({
      name,
      missing: programs.filter((program) => !isInstalled(program)),
    }));
  }

  /**
   * Starts a tool. Throws AppError UNKNOWN_TOOL, UNKNOWN_FIELD, BAD_PARAM, TOOL_MISSING, TOOL_PORT, NO_EMBEDDED_DEVICE,
   * RUN_BUSY.
   */
  async start({
    tool: name,
    params,
    link = 'auto',
  }: Pick<ClientMessageOf<'tool.start'>, 'tool' | 'params' | 'link'>): Promise<RunRecord> {
    const tool = findTool(name);
    if (!tool)
      throw new AppError('UNKNOWN_TOOL', { tool: name, known: TOOLS.map((one) => one.name).join(', ') });
    const values = tool.parse(params);
    this.#need(tool);
    const commands = tool.commands(values, { address: await this.#address() });
    this.#needPorts(commands);
    const { manager, home, logger, limit = TOOL_LIMIT_S } = this.#options;
    const run = manager.open(commands[0]!.command, { name: tool.name, params: values as never, link });
    void drive({ run, commands, home, link, limit, logger, endsAfter: tool.endsAfter(values) });
    return run.record;
  }

  #need({ programs, package: from }: Tool): void {
    const missing = programs.find((program) => !isInstalled(program));
    if (missing !== undefined)
      throw new AppError('TOOL_MISSING', { program: missing, command: installCommand(from) });
    if (!existsSync(urocePath)) throw new AppError('NO_EMBEDDED_DEVICE', { path: urocePath });
  }

  /** The ports of another network namespace cannot be seen from here. */
  #needPorts(commands: readonly ToolCommand[]): void {
    if (embeddedNetns() !== undefined) return;
    for (const { ready, program } of commands)
      if (ready && ready.kind !== 'group' && isReady(ready, 'self'))
        throw new AppError('TOOL_PORT', { port: ready.port, program });
  }

  /** IPv4 address of the embedded device. */
  async #address(): Promise<string> {
    const devices = await this.#options.devices.get();
    const gids = devices.find(({ provider }) => provider === 'embedded')?.ports[0]?.gids ?? [];
    return gids.find(({ address }) => isIPv4(address))?.address ?? LOOPBACK;
  }
}
