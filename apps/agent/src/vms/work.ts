import { fork, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { AppError, type AgentMessage, type MachinesWork } from '@verbslab/protocol';
import { answers, hear, type Subsystem } from '../base/subsystem.js';
import { childProgram, type ChildProgram } from '../config/agent-folder.js';
import { processEnd, startFailure, type ProcessEnd } from '../base/process-end.js';
import { zChildMessage, type ChildMessage } from './child-messages.js';
import { keepStart } from './starts.js';
import { DEFAULT_COUNT } from './up.js';

export interface MachinesOptions {
  /** Data folder of the agent. */
  home: string;
  /** Name of this host. */
  host: string;
  /** Returns the error for a start while something else uses the devices of this host, or null. */
  busy: () => AppError | null;
  /** Program that does the work. Default: the agent's own. */
  child?: ChildProgram;
}

interface Events {
  changed: [work: MachinesWork];
}

/** Starts and stops the virtual machines of this host like `vms up` and `vms down`, without options of the client. */
export class Machines extends EventEmitter<Events> implements Subsystem {
  readonly messages = answers({
    'machines.start': () => ({ work: this.run('up') }),
    'machines.stop': () => ({ work: this.run('down') }),
    'machines.cancel': () => ({ work: this.cancel() }),
  });
  readonly #options: MachinesOptions;
  #work: MachinesWork | null = null;
  #child: { process: ChildProcess; gone: Promise<void> } | null = null;

  constructor(options: MachinesOptions) {
    super();
    this.#options = options;
    this.setMaxListeners(0);
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<Events>(this, { changed: (work) => send({ type: 'machines.changed', work }) });
  }

  /** The work in progress, or the last one; null if there was none since the start of the agent. */
  get work(): MachinesWork | null {
    const work = this.#work;
    return work?.state === 'working' ? { ...work, took: Date.now() - work.startedAt } : work;
  }

  /** Returns RUN_BUSY while machines start or stop, or null. */
  busy(): AppError | null {
    if (this.#work?.state !== 'working') return null;
    const starts = this.#work.what === 'up';
    return new AppError('RUN_BUSY', {
      what: starts ? 'The start of the virtual machines' : 'The stop of the virtual machines',
      host: this.#options.host,
      hint: starts
        ? 'Wait until they are ready, or cancel the start under “Set up two machines”.'
        : 'Wait until it ends.',
    });
  }

  /** Starts work. Throws RUN_BUSY while something else runs on this host, VMS_BUSY while this work does. */
  run(what: MachinesWork['what']): MachinesWork {
    if (this.#work?.state === 'working') throw new AppError('VMS_BUSY');
    const busy = this.#options.busy();
    if (busy) throw busy;
    const work: MachinesWork = {
      what,
      state: 'working',
      startedAt: Date.now(),
      took: 0,
      said: [],
      machines: [],
      output: '',
      error: null,
    };
    this.#work = work;
    this.#start(work);
    return work;
  }

  /** Cancels a start, which ends the machines that it started. A stop goes on. */
  cancel(): MachinesWork | null {
    if (this.#work?.what === 'up') this.#child?.process.kill('SIGTERM');
    return this.work;
  }

  /** Cancels a start and waits until its process has gone. */
  async close(): Promise<void> {
    this.cancel();
    await this.#child?.gone;
  }

  #start(work: MachinesWork): void {
    const { home, child: program = childProgram('vms/child') } = this.#options;
    const child = fork(program.path, [work.what], {
      execArgv: program.execArgv,
      env: { ...process.env, VERBSLAB_HOME: home },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (message) => {
      const { data } = zChildMessage.safeParse(message);
      if (data) this.#heard(work, data);
    });
    let failure: ProcessEnd | null = null;
    const gone = new Promise<void>((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        failure = startFailure(error.code ?? error.message);
        if (child.pid === undefined) resolve();
      });
      // `close` comes after the last message, unlike `exit`.
      child.once('close', (code, signal) => {
        failure ??= processEnd(code, signal);
        resolve();
      });
    }).then(() => {
      this.#child = null;
      if (work.state !== 'working') return;
      const { info } = new AppError('VMS_PROCESS', { ...failure! });
      this.#heard(work, { ended: 'failed', error: info });
    });
    this.#child = { process: child, gone };
  }

  #heard(work: MachinesWork, message: ChildMessage): void {
    if (work.state !== 'working') return;
    work.took = Date.now() - work.startedAt;
    if ('said' in message) work.said.push(message.said);
    else if ('output' in message) work.output = message.output;
    else if ('ended' in message) {
      work.state = message.ended;
      work.error = message.error;
      // A start that only brought a crashed machine back says nothing about a whole start.
      const whole = work.what === 'up' && work.machines.length >= DEFAULT_COUNT;
      if (whole && work.state === 'done') keepStart(this.#options.home, work.took);
    } else {
      const { name, step } = message;
      const others = work.machines.filter((one) => one.name !== name);
      work.machines = [...others, { name, step, at: work.took }].sort((a, b) => (a.name < b.name ? -1 : 1));
    }
    this.emit('changed', work);
  }
}
