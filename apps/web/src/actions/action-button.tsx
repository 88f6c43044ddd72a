'use client';
import type { LucideIcon } from 'lucide-react';
import { useActionContext } from './use-action-context';
import { Button, type ButtonProps } from '../ui/button';
import type { Action } from './types';

/** A button for an action of the table. It can be pressed while the page offers the action. */
export function ActionButton(
  props: Omit<ButtonProps, 'onClick' | 'children'> & {
    action: Action;
    icon?: LucideIcon;
    /** In the place of the label, while it is being done. */
    busy?: string | undefined;
  },
) {
  const { action, icon: Icon, busy, disabled, ...rest } = props;
  const ctx = useActionContext();
  const offered = action.predicate?.(ctx) ?? true;
  return (
    <Button {...rest} disabled={disabled || !offered} onClick={() => action.perform(ctx)}>
      {Icon ? <Icon size={14} aria-hidden /> : null}
      {busy ?? action.button ?? action.label}
    </Button>
  );
}
