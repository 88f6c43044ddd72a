/** Energy counters of the processor: RAPL, as Linux shows them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const POWERCAP = '/sys/class/powercap';

export interface Energy {
  packages: { name: string; microjoules: number; range: number }[];
  refused: string | null;
}

/**
 * A package is a zone of the top level, `intel-rapl:0`; `intel-rapl:0:0` is a part of it. AMD’s have the same names.
 */
const PACKAGE = /^intel-rapl:\d+$/;

export function readEnergy(folder = POWERCAP): Energy {
  const none = (refused: string): Energy => ({ packages: [], refused });
  let zones: string[];
  try {
    zones = readdirSync(folder).filter((name) => PACKAGE.test(name));
  } catch {
    zones = [];
  }
  if (zones.length === 0)
    return none(
      `${folder} has no zone intel-rapl:0. Virtual machines and many ARM processors have no such counters.`,
    );
  try {
    const packages = zones.map((zone) => {
      const read = (name: string): string => readFileSync(join(folder, zone, name), 'utf8').trim();
      return {
        name: read('name'),
        microjoules: Number(read('energy_uj')),
        range: Number(read('max_energy_range_uj')),
      };
    });
    return { packages, refused: null };
  } catch (error) {
    return none(
      `${error instanceof Error ? error.message : String(error)}. Only root may read energy_uj: sudo chmod a+r ${folder}/intel-rapl:*/energy_uj`,
    );
  }
}
