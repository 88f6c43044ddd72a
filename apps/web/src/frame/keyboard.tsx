'use client';
import { useLayoutEffect, useRef } from 'react';
import { match, PREFIXES } from '../actions/table';
import type { KeyPress } from '../actions/types';
import { useActionContext } from '../actions/use-action-context';
import { isLetterKey, useLetterKeys } from './letter-keys';
import { useUi } from '../actions/ui-store';

const PREFIX_LIFE_MS = 1200;

/** True for elements that take letters. Sliders, checkboxes and radio buttons only take arrows and space. */
function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input:not([type=checkbox], [type=radio], [type=range]), textarea, select') ||
      target.isContentEditable)
  );
}

/** Turns key presses into actions. Renders nothing. */
export function Keyboard() {
  const ctx = useActionContext();
  const prefix = useRef<{ key: string; at: number } | null>(null);

  // A layout effect, because a key pressed directly after the drawing would otherwise be lost.
  useLayoutEffect(() => {
    function onKey(e: KeyboardEvent) {
      if (e.defaultPrevented || e.isComposing) return;
      const field = isField(e.target);
      const pending =
        prefix.current && e.timeStamp - prefix.current.at < PREFIX_LIFE_MS ? prefix.current.key : null;
      const press: KeyPress = {
        key: e.key,
        prefix: pending,
        mod: e.ctrlKey || e.metaKey,
        shift: e.shiftKey,
        alt: e.altKey,
      };
      prefix.current = null;
      if (!useLetterKeys.getState().on && isLetterKey(press)) return;
      // An open dialog gets all keys, except the shortcut of the palette.
      if (useUi.getState().overlay !== 'none' && !press.mod) return;
      // Space on a focused control belongs to that control.
      if (
        e.key === ' ' &&
        e.target instanceof HTMLElement &&
        e.target.closest('button, a, summary, input, [role=slider], [role=option]')
      )
        return;
      const action = match(press, ctx, field);
      if (action) {
        e.preventDefault();
        action.perform(ctx);
      } else if (!field && !press.mod && !press.alt && pending === null && PREFIXES.has(e.key)) {
        prefix.current = { key: e.key, at: e.timeStamp };
      }
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [ctx]);

  return null;
}
