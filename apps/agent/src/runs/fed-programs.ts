import {
  AppError,
  checkFrame,
  FrameError,
  type AgentMessage,
  type AgentMessageOf,
  type ClientMessageOf,
  type RunRecord,
} from '@verbslab/protocol';
import { AskedFaults } from '../faults/asked-faults.js';
import { answers, perClient, type Subsystem } from '../base/subsystem.js';
import type { RunManager } from './manager.js';
import type { CommandOptions, ProgramCommand } from './program-command.js';

/** Programs that clients run and report on. */
export function fedPrograms(manager: RunManager): Subsystem {
  const of = perClient(
    (client) => new FedPrograms((message) => client.send(message)),
    (fed) => fed.lost(),
  );
  return {
    messages: answers({
      'program.start': (message, client) => ({ run: of(client).start(manager, message) }),
      'program.join': (message, client) => of(client).join(manager, message),
      'program.events': ({ runId, events }, client) => of(client).get(runId).events(events),
      'program.faulted': ({ runId, ask, endpoints, why }, client) =>
        of(client)
          .get(runId)
          .options.faults?.answer(ask, { endpoints, ...(why === undefined ? {} : { why }) }),
      'program.end': (message, client) => ({ run: of(client).end(message) }),
    }),
    frame: (client, frame) => of(client).frame(frame),
  };
}

/** Commands of programs that one client runs and tells the agent of, by the id of their run. */
class FedPrograms {
  readonly #send: (message: AgentMessage) => void;
  readonly #commands = new Map<string, ProgramCommand>();

  constructor(send: (message: AgentMessage) => void) {
    this.#send = send;
  }

  start(manager: RunManager, message: ClientMessageOf<'program.start'>): RunRecord {
    return this.#feed(manager.register(this.#options(message), message.clock));
  }

  join(
    manager: RunManager,
    message: ClientMessageOf<'program.join'>,
  ): Omit<AgentMessageOf<'program.joined'>, 'type' | 're'> {
    const { runId } = message;
    if (this.#commands.has(runId))
      throw new AppError('BAD_MESSAGE', { detail: 'this connection has a command in that run already' });
    const command = manager.registerWith(this.#options(message), runId);
    const { index, sources } = command;
    const { clock, processes } = command.run;
    return { run: this.#feed(command), index, clock: clock.toString(), sources, processes };
  }

  end({ runId, code, signal, work }: ClientMessageOf<'program.end'>): RunRecord {
    const command = this.get(runId);
    command.end(code, signal, work);
    this.#commands.delete(runId);
    return command.record;
  }

  /** Returns the command that feeds a run. Throws NOT_FED. */
  get(runId: string): ProgramCommand {
    const command = this.#commands.get(runId);
    if (!command) throw new AppError('NOT_FED', { run: runId });
    return command;
  }

  /** The number of the run is in the frame. Throws BAD_FRAME. */
  frame(frame: Buffer): void {
    try {
      const { run: number } = checkFrame(frame);
      const command = [...this.#commands.values()].find(({ record }) => record.number === number);
      if (!command)
        throw new AppError('BAD_FRAME', { detail: `run ${number} is not fed over this connection` });
      command.frame(frame);
    } catch (error) {
      if (error instanceof FrameError) throw new AppError('BAD_FRAME', { detail: error.message });
      throw error;
    }
  }

  /** The client has gone. */
  lost(): void {
    for (const command of this.#commands.values()) command.lost();
    this.#commands.clear();
  }

  #options({
    command,
    options = [],
    terminal = [],
    takesFaults,
  }: ClientMessageOf<'program.start' | 'program.join'>): CommandOptions {
    return {
      command,
      options,
      terminal,
      onStop: (runId) => this.#send({ type: 'program.stop', runId }),
      ...(takesFaults
        ? { faults: new AskedFaults((asked) => this.#send({ type: 'program.faults', ...asked })) }
        : {}),
    };
  }

  /** Registers a command, which the client feeds from now on. Returns the record of its run. */
  #feed(command: ProgramCommand): RunRecord {
    const { run } = command;
    this.#commands.set(run.id, command);
    void run.finished.then(() => this.#commands.delete(run.id));
    return run.record;
  }
}
