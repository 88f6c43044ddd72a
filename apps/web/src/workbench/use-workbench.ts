'use client';
import type { ReplyOf } from '@verbslab/protocol';
import { request } from '../connection/store';
import { useKept } from '../connection/use-kept';

export type Workbench = Pick<
  ReplyOf<'workbench.list'>,
  'allowed' | 'command' | 'languages' | 'limits' | 'gaps'
>;

/** Permissions, languages and limits of the workbench at this agent. */
export const useWorkbench = () => useKept<Workbench>('workbench', () => request('workbench.list', {}));
