import type { Faults } from '@verbslab/protocol';
import { netemSettings, setNetem } from './netem.js';
import type { Vm } from './state.js';

/** The link of a virtual machine, for as long as a run impairs it. */
export class ImpairedLink {
  readonly #vm: Vm;
  #impaired = false;

  constructor(vm: Vm) {
    this.#vm = vm;
  }

  /** Takes the place of what was set before, by `vms netem` too. Rejects with NO_FAULTS. */
  async set(faults: Faults): Promise<void> {
    const settings = netemSettings(faults);
    this.#impaired = true;
    await setNetem(this.#vm, settings);
  }

  /** As it was made, if set() was called. */
  async restore(): Promise<void> {
    if (!this.#impaired) return;
    this.#impaired = false;
    await setNetem(this.#vm, []);
  }
}
