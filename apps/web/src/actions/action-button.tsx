'use client';
import type { LucideIcon } from 'lucide-react';
import { useActionContext } from './use-action-context';
import { Button, type ButtonProps } from '../ui/button';
import { OFFERED, type OfferedName } from './table';
import type { Action } from './types';

/** Button for an action of the page. It is enabled while the page offers the action. */
export function ActionButton(
  props: Omit<ButtonProps, 'onClick' | 'children'> & {
    action: OfferedName;
    icon?: LucideIcon;
    /** Replaces the label while the action is in progress. */
    busy?: string | undefined;
  },
) {
  const { action: name, icon: Icon, busy, disabled, ...rest } = props;
  const action: Action = OFFERED[name];
  const ctx = useActionContext();
  const offered = action.predicate?.(ctx) ?? true;
  return (
    <Button {...rest} disabled={disabled || !offered} onClick={() => action.perform(ctx)}>
      {Icon ? <Icon size={14} aria-hidden /> : null}
      {busy ?? action.button ?? action.label}
    </Button>
  );
}
