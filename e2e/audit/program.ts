// A run of a program under `verbslab exec`.
import type { RunExport } from './export.js';

/** The command as a shell would show it; the audit's programs need no quotes. */
export const commandOf = ({ run }: RunExport): string => (run.parameters.command as string[]).join(' ');
