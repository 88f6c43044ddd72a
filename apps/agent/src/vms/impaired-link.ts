import type { Faults } from '@verbslab/protocol';
import { netemSettings, setNetem } from './netem.js';
import type { Vm } from './state.js';

/** The link of a virtual machine, while a run impairs it. */
export class ImpairedLink {
  readonly #vm: Vm;
  #impaired = false;

  constructor(vm: Vm) {
    this.#vm = vm;
  }

  /** Replaces the earlier settings, also those of `vms netem`. Rejects with NO_FAULTS. */
  async set(faults: Faults): Promise<void> {
    const settings = netemSettings(faults);
    this.#impaired = true;
    await setNetem(this.#vm, settings);
  }

  /** Restores the unimpaired link, if set() was called. */
  async restore(): Promise<void> {
    if (!this.#impaired) return;
    this.#impaired = false;
    await setNetem(this.#vm, []);
  }
}
